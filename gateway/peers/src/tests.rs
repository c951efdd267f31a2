//! Connections between processes on one machine, whose recorders do what each test needs.

use std::sync::Arc;

use async_trait::async_trait;
use futures::future::{join_all, pending};
use ledger_domain::BusinessId;
use ledger_domain::business::{BusinessCommand, ChangeHold};
use ledger_domain::calendar::Instant;
use ledger_store::lane::{Answer, Work};
use ledger_store::peers::{PROTOCOL, Peers, Reply};
use ledger_store::{Actor, Job, Metadata, Outcome, Submission, Supervisor};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;
use uuid::Uuid;

use crate::frames::{Hello, Request, read_frame, write_frame};
use crate::{Identity, PeerConnections, PeerServer, Recorder};

const SECRET: [u8; 32] = [7; 32];

fn identity() -> Identity {
    Identity::of([&SECRET]).expect("an identity")
}

fn connections() -> PeerConnections {
    PeerConnections::new(identity(), "process-a")
}

fn business(number: u128) -> BusinessId {
    BusinessId::from_uuid(Uuid::from_u128(number))
}

fn command(number: u128) -> Work {
    let hold = ChangeHold {
        hold_id: ledger_domain::HoldId::from_uuid(Uuid::from_u128(number)),
        reason: "Análise".to_owned(),
        until: None,
        documents: vec![],
        occurred_at: Instant::UNIX_EPOCH,
    };
    Submission {
        command_id: Uuid::from_u128(number),
        business_id: business(number),
        command: BusinessCommand::ChangeHold(hold),
        metadata: Metadata::by(Actor::Job(Job::Installation)),
        idempotency: None,
    }
    .into()
}

/// Answers with the company of the command.
struct Echo;

#[async_trait]
impl Recorder for Echo {
    async fn answer_peer(&self, work: Work) -> Answer {
        // Later commands are answered first.
        if work.business_id() == business(1) {
            tokio::task::yield_now().await;
        }
        Answer::Outcome(Outcome::BelongsToOther(work.business_id()))
    }

    fn look_for_owners(&self) {}
}

async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("its address").to_string();
    (listener, address)
}

fn serve(listener: TcpListener, recorder: Arc<dyn Recorder>) -> PeerServer {
    PeerServer::start(
        listener,
        &identity(),
        "process-b",
        recorder,
        &Supervisor::default(),
    )
    .expect("a server")
}

fn echoed(reply: &Reply) -> Option<BusinessId> {
    match reply {
        Reply::Answered(Answer::Outcome(Outcome::BelongsToOther(of))) => Some(*of),
        _ => None,
    }
}

#[tokio::test]
async fn each_of_many_commands_gets_its_own_answer() {
    let (listener, address) = listen().await;
    let _server = serve(listener, Arc::new(Echo));
    let peers = connections();
    let asked: Vec<_> = (1..=500).map(command).collect();
    let replies = join_all(asked.iter().map(|work| peers.ask(&address, work))).await;
    for (number, reply) in (1..).zip(&replies) {
        assert_eq!(echoed(reply), Some(business(number)), "{reply:?}");
    }
    assert_eq!(peers.fault(&address), None);
}

#[tokio::test]
async fn without_a_process_at_the_address_nothing_is_sent() {
    let (listener, address) = listen().await;
    drop(listener);
    let peers = connections();
    assert!(matches!(peers.ask(&address, &command(1)).await, Reply::NotSent));
    let fault = peers.fault(&address).expect("a fault");
    assert!(fault.starts_with("no connection: "), "{fault}");
    // Once one listens there, the next command opens a connection.
    let listener = TcpListener::bind(&address).await.expect("the port again");
    let _server = serve(listener, Arc::new(Echo));
    assert_eq!(echoed(&peers.ask(&address, &command(1)).await), Some(business(1)));
    assert_eq!(peers.fault(&address), None);
}

#[tokio::test]
async fn a_process_with_another_secret_gets_no_command() {
    let (listener, address) = listen().await;
    let _server = serve(listener, Arc::new(Echo));
    let stranger = Identity::of([&[8; 32]]).expect("an identity");
    let peers = PeerConnections::new(stranger, "process-c");
    assert!(matches!(peers.ask(&address, &command(1)).await, Reply::NotSent));
    assert!(peers.fault(&address).is_some());
}

/// First all processes accept both secrets, then each begins to use the new one.
#[tokio::test]
async fn processes_talk_while_the_secret_is_replaced() {
    const NEW: [u8; 32] = [8; 32];
    for (server, client) in [
        ([&SECRET, &NEW], [&NEW, &SECRET]),
        ([&NEW, &SECRET], [&SECRET, &NEW]),
    ] {
        let (listener, address) = listen().await;
        let server = Identity::of(server).expect("an identity");
        let supervisor = Supervisor::default();
        let _server = PeerServer::start(listener, &server, "process-b", Arc::new(Echo), &supervisor)
            .expect("it listens");
        let client = Identity::of(client).expect("an identity");
        let peers = PeerConnections::new(client, "process-a");
        assert_eq!(echoed(&peers.ask(&address, &command(1)).await), Some(business(1)));
    }
}

/// Takes one connection, greets with this protocol, and then does what the test wants.
async fn greet(
    listener: &TcpListener,
    protocol: u32,
) -> tokio_rustls::server::TlsStream<tokio::net::TcpStream> {
    let (stream, _) = listener.accept().await.expect("a connection");
    let acceptor = TlsAcceptor::from(identity().server);
    let mut stream = acceptor.accept(stream).await.expect("TLS");
    let _: Hello = read_frame(&mut stream).await.expect("a greeting");
    let hello = Hello {
        protocol,
        process: "process-b".to_owned(),
    };
    write_frame(&mut stream, &hello).await.expect("sent");
    stream.flush().await.expect("sent");
    stream
}

#[tokio::test]
async fn a_process_of_another_protocol_gets_no_command_and_the_reason_is_known() {
    let (listener, address) = listen().await;
    let peers = connections();
    let asked = command(1);
    let (reply, _) = tokio::join!(peers.ask(&address, &asked), greet(&listener, PROTOCOL + 1));
    assert!(matches!(reply, Reply::NotSent), "{reply:?}");
    let fault = peers.fault(&address).expect("a fault");
    assert!(
        fault.contains(&format!("speaks protocol {}", PROTOCOL + 1)),
        "{fault}"
    );
}

#[tokio::test]
async fn a_command_on_a_lost_connection_may_be_recorded() {
    let (listener, address) = listen().await;
    let peers = connections();
    let dies = async {
        let mut stream = greet(&listener, PROTOCOL).await;
        loop {
            if let Request::Commands(commands) = read_frame(&mut stream).await.expect("a request") {
                assert_eq!(commands.len(), 1);
                return;
            }
        }
    };
    let asked = command(1);
    let (reply, ()) = tokio::join!(peers.ask(&address, &asked), dies);
    assert!(matches!(reply, Reply::Lost), "{reply:?}");
    peers.connection_lost().await;
}

#[tokio::test]
async fn a_command_at_a_process_that_hangs_counts_as_lost() {
    let (listener, address) = listen().await;
    let peers = connections();
    let hangs = async {
        let _stream = greet(&listener, PROTOCOL).await;
        pending::<()>().await
    };
    let asked = command(1);
    let reply = tokio::select! {
        reply = peers.ask(&address, &asked) => reply,
        () = hangs => unreachable!("it hangs"),
    };
    assert!(matches!(reply, Reply::Lost), "{reply:?}");
    assert!(peers.fault(&address).is_some());
}

#[tokio::test]
async fn a_slow_lane_does_not_end_the_connection() {
    struct Slow(Notify);
    #[async_trait]
    impl Recorder for Slow {
        async fn answer_peer(&self, work: Work) -> Answer {
            // Longer than a process may be silent: the connection goes on, because it answers otherwise.
            self.0.notified().await;
            Answer::Outcome(Outcome::BelongsToOther(work.business_id()))
        }

        fn look_for_owners(&self) {
            self.0.notify_one();
        }
    }
    let (listener, address) = listen().await;
    let _server = serve(listener, Arc::new(Slow(Notify::new())));
    let peers = connections();
    let asked = command(1);
    let later = async {
        tokio::time::sleep(std::time::Duration::from_millis(2_600)).await;
        peers.announce(vec![address.as_str().into()]);
    };
    let (reply, ()) = tokio::join!(peers.ask(&address, &asked), later);
    assert_eq!(echoed(&reply), Some(business(1)), "{reply:?}");
}
