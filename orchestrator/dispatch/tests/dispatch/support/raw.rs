//! Peers that do to a connection what a well-behaved server does not.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A listener that treats each connection in one way, and counts them.
pub(crate) struct Peer {
    pub(crate) endpoint: String,
    connections: Arc<AtomicUsize>,
    task: tokio::task::JoinHandle<()>,
}

impl Peer {
    pub(crate) async fn start<F>(treat: impl Fn(TcpStream) -> F + Send + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let connections: Arc<AtomicUsize> = Arc::default();
        let count = Arc::clone(&connections);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(treat(stream));
            }
        });
        Self { endpoint, connections, task }
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Reads a whole request, then closes the connection without a word.
    pub(crate) async fn closing() -> Self {
        Self::start(|stream| async move {
            let mut connection = h2::server::handshake(stream).await.unwrap();
            let (request, _respond) = connection.accept().await.unwrap().unwrap();
            let mut body = request.into_body();
            tokio::select! {
                () = async { while body.data().await.is_some() {} } => {}
                _ = connection.accept() => {}
            }
        })
        .await
    }

    /// Says GOAWAY with last stream 0 once the request came: no stream was taken up.
    pub(crate) async fn going_away() -> Self {
        Self::start(|mut stream| async move {
            // The preface, SETTINGS and whatever of the request has come by then.
            let mut start = [0; 24];
            stream.read_exact(&mut start).await.unwrap();
            let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
            let goaway = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
            stream.write_all(&settings).await.unwrap();
            stream.write_all(&goaway).await.unwrap();
            let mut rest = Vec::new();
            let _ = stream.read_to_end(&mut rest).await;
        })
        .await
    }

    /// Refuses every stream.
    pub(crate) async fn refusing() -> Self {
        Self::start(|stream| async move {
            let mut connection = h2::server::handshake(stream).await.unwrap();
            while let Some(Ok((_request, mut respond))) = connection.accept().await {
                respond.send_reset(h2::Reason::REFUSED_STREAM);
            }
        })
        .await
    }

    /// Answers one request on each connection with this message, then says GOAWAY.
    pub(crate) async fn answering_once(message: Bytes) -> Self {
        Self::start(move |stream| {
            let message = message.clone();
            async move {
                let mut connection = h2::server::handshake(stream).await.unwrap();
                let (_request, mut respond) = connection.accept().await.unwrap().unwrap();
                let head = http::Response::builder().header("content-type", "application/grpc");
                let mut body = respond.send_response(head.body(()).unwrap(), false).unwrap();
                let mut framed = vec![0];
                framed.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
                framed.extend(&message);
                body.send_data(framed.into(), false).unwrap();
                let trailers = [("grpc-status", "0")]
                    .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
                body.send_trailers(trailers.into_iter().collect()).unwrap();
                connection.graceful_shutdown();
                while connection.accept().await.is_some() {}
            }
        })
        .await
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An endpoint where nobody listens.
pub(crate) async fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

/// An endpoint whose queue of connections is full: a further one hangs. Good while the sockets are held.
pub(crate) async fn unresponsive() -> (String, Vec<TcpStream>) {
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut queued = Vec::new();
    while let Ok(Ok(stream)) =
        tokio::time::timeout(Duration::from_millis(100), TcpStream::connect(address)).await
    {
        queued.push(stream);
    }
    // The listener lives on, unread, with the runtime.
    tokio::spawn(async move {
        let _unread = listener;
        std::future::pending::<()>().await;
    });
    (format!("http://{address}"), queued)
}
