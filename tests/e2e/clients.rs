//! Clients and agents in other languages, with stock tools alone.

