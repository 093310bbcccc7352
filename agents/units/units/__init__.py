"""The units agent: conversions between units of measurement, with the library pint.

It uses nothing of Convoke but its proto files: the stock gRPC packages for Python do the rest.

    conversion    what a request means and what comes out of it
    vocabulary    what people call the units
    listing       the units there are
    failures      the agent's errors as gRPC statuses
    service       the gRPC face
    registration  how the mesh learns of the agent and keeps it
    server        boot, serve, drain
    stubs         generates and loads the protobuf code
"""
