//! The harness's own cost of asking a model behind a server: a scripted server without latency answers from a process of its
//! own, so that this process's CPU time is the client's alone: building and sending the request, reading the stream, places
//! and counters, and switching between the asking threads and the one that serves their sockets. What the system does in
//! this process's name on the loopback is part of it.

use crate::clock::process;
use crate::line;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Instant;
use weir_agent::http::{Client, Server, Settings};
use weir_agent::{ActionMode, Ask, Backend, ChatMessage, ChatTool, Speaker};
use weir_scripted::Answer;
use weir_suite::Error;

/// The argument with which this program is the server.
pub const SERVER_ARGUMENT: &str = "scripted-server";
/// Calls one after the other, and by each of the streams at once.
const IN_TURN: u32 = 2_000;
const STREAMS: u32 = 64;
const EACH: u32 = 64;

/// Is the server: prints its address, and ends when its input does.
pub fn serve() -> Result<(), Error> {
    let failed = |error| Error::io("the scripted server", error);
    let arguments = r#"{"to":"ann@corp.local","subject":"Invoice 1042","body":"Paid today, as you asked."}"#;
    let server = weir_scripted::Server::start(move |request| {
        if request.is_chat() { Answer::call("send_mail", arguments) } else { Answer::error(404, "no list") }
    })
    .map_err(failed)?;
    println!("{}", server.base_url());
    std::io::stdout().flush().map_err(failed)?;
    std::io::stdin().read_to_end(&mut Vec::new()).map_err(failed)?;
    Ok(())
}

/// Prints what a call costs, alone and beside sixty-three others.
pub fn bench() -> Result<(), Error> {
    let failed = |error| Error::io("the scripted server", error);
    let mut child = Command::new(std::env::current_exe().map_err(failed)?)
        .arg(SERVER_ARGUMENT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let measured = against(&mut child);
    // Its input ends with it.
    drop(child.stdin.take());
    child.wait().map_err(failed)?;
    measured
}

fn against(child: &mut Child) -> Result<(), Error> {
    let mut address = String::new();
    if let Some(output) = child.stdout.take() {
        BufReader::new(output).read_line(&mut address).map_err(|error| Error::io("the scripted server", error))?;
    }
    let server = Server::resolve("openai-api/vllm/scripted", |name| {
        (name == "VLLM_BASE_URL").then(|| address.trim().to_owned())
    })
    .map_err(|error| Error::Input(error.to_string()))?;
    let settings = Settings {
        mode: Some(ActionMode::Native),
        connections: STREAMS,
        max_connections: STREAMS,
        ..Settings::default()
    };
    let client = Client::connect(server, settings).map_err(|error| Error::Input(error.to_string()))?;
    println!("a model behind a server without latency, in a process of its own: CPU time of the client's process");
    // The first call opens its connection, as one in thousands does.
    asked(&client, 1)?;
    let before = process();
    asked(&client, IN_TURN)?;
    let cost = (process() - before) / f64::from(IN_TURN);
    line("harness's CPU time a model call, a native call streamed", &format!("{:.3} ms", cost * 1e3), "at most 1 ms");
    let (before, start) = (process(), Instant::now());
    std::thread::scope(|scope| {
        let streams: Vec<_> = (0..STREAMS).map(|_| scope.spawn(|| asked(&client, EACH))).collect();
        streams.into_iter().try_for_each(|stream| {
            stream.join().unwrap_or_else(|_| Err(Error::Input("a stream's thread ended".into())))
        })
    })?;
    let (cost, wall) = (process() - before, start.elapsed().as_secs_f64());
    let asks = f64::from(STREAMS * EACH);
    line(&format!("  with {STREAMS} streams at once, CPU time a call"), &format!("{:.3} ms", cost / asks * 1e3), "");
    line("  and calls a second, server included", &format!("{:.0}/s", asks / wall), "");
    line("  cores that the client took meanwhile", &format!("{:.2}", cost / wall), "at most 1");
    Ok(())
}

/// Asks so often, each time something else of a usual size: twelve messages and eight tools.
fn asked(client: &Client, times: u32) -> Result<(), Error> {
    let tools: Vec<ChatTool> = (0..8)
        .map(|number| ChatTool {
            name: format!("tool_{number}"),
            description: "Does one thing to one object, which its first argument names.".into(),
            parameters: serde_json::json!({
                "type": "object",
                "properties": {"to": {"type": "string"}, "subject": {"type": "string"}, "body": {"type": "string"}},
                "required": ["to", "subject", "body"]
            }),
        })
        .collect();
    let words = "The quarterly figures are attached; please confirm that the amounts agree with the ledger. ";
    let messages: Vec<ChatMessage> =
        (0..12).map(|number| ChatMessage::new(Speaker::User, format!("{number}: {}", words.repeat(5)))).collect();
    let mut ask =
        Ask { messages, tools, schema: None, max_tokens: 512, temperature: 0.0, seed: 0, ordinal: 0, repeat: 0 };
    for number in 0..times {
        ask.ordinal = number;
        let reply = client.ask(&ask).map_err(|error| Error::Input(error.to_string()))?;
        if reply.calls.len() != 1 {
            return Err(Error::Input("the scripted server's call did not come through".into()));
        }
    }
    Ok(())
}
