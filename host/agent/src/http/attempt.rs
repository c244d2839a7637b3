//! One attempt: one request, and its answer read under limits. It runs on the client's own thread and never asks twice.

use super::answer::{Answer, MAX_REPLY_BYTES};
use super::backoff;
use super::failure::{Failure, Kind, shown};
use super::wire::ModelList;
use crate::backend::Reply;
use reqwest::{RequestBuilder, Response};
use std::ops::Deref;
use std::time::{Duration, SystemTime};
use tokio::time::timeout;
use weir_http::reason;

/// Most of an error's body that is read: a message of 300 characters and its wrapping.
const MAX_ERROR_BYTES: usize = 64 << 10;
/// How long the end of a body may take after the end of its stream. It is due at once; reading it lets the connection be used
/// again.
const LINGER: Duration = Duration::from_millis(100);

/// Asks for a completion.
pub(crate) async fn chat(request: RequestBuilder, stall: Duration) -> Result<Reply, Failure> {
    let mut response = open(request, stall).await?;
    let mut answer = Answer::Unknown;
    while let Some(bytes) = next(&mut response, stall).await? {
        if answer.push(&bytes)? {
            let rest = async { while let Ok(Some(_)) = response.chunk().await {} };
            drop(timeout(LINGER, rest).await);
            break;
        }
    }
    answer.finish()
}

/// Asks for the list of models; empty where the answer is none.
pub(crate) async fn models(request: RequestBuilder, stall: Duration) -> Result<Vec<String>, Failure> {
    let mut response = open(request, stall).await?;
    let mut body = Vec::new();
    while let Some(bytes) = next(&mut response, stall).await? {
        if body.len() + bytes.len() > MAX_REPLY_BYTES {
            return Err(Failure::new(Kind::TooLarge, "the list of models is too long"));
        }
        body.extend_from_slice(&bytes);
    }
    // Whatever else a server has under this name is no list, and no list is no fault.
    let list: ModelList = serde_json::from_slice(&body).unwrap_or_default();
    Ok(list.data.into_iter().map(|model| model.id).collect())
}

/// Sends a request and reads the head of a good answer, or all of a bad one.
async fn open(request: RequestBuilder, stall: Duration) -> Result<Response, Failure> {
    let mut response = timeout(stall, request.send())
        .await
        .map_err(|_| stalled(stall))?
        .map_err(|error| Failure::new(Kind::Interrupted, shown(&reason(error))))?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let after = backoff::wish(status.as_u16(), response.headers(), SystemTime::now());
    let mut body = Vec::new();
    // Whatever of the message can be had; the status alone decides.
    while let Ok(Some(bytes)) = next(&mut response, stall).await {
        body.extend_from_slice(&bytes);
        if body.len() > MAX_ERROR_BYTES {
            body.truncate(MAX_ERROR_BYTES);
            break;
        }
    }
    Err(Failure { after, ..Failure::of_status(status.as_u16(), &body) })
}

/// The next bytes of a body.
async fn next(response: &mut Response, stall: Duration) -> Result<Option<impl Deref<Target = [u8]> + use<>>, Failure> {
    timeout(stall, response.chunk())
        .await
        .map_err(|_| stalled(stall))?
        .map_err(|error| Failure::new(Kind::Interrupted, format!("the answer broke off: {}", shown(&reason(error)))))
}

fn stalled(stall: Duration) -> Failure {
    Failure::new(Kind::Troubled, format!("the server sent nothing for {} s", stall.as_secs_f64()))
}
