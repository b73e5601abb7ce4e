//! A desk whose disks do not answer.

mod fuzz;

use axum::{
    body::{Body, to_bytes},
    http::{Request, Response, header},
};
use futures_util::FutureExt as _;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;

use super::*;

type Desk = TowerToHyperService<Router>;

async fn ask(desk: &Desk, request: &str, body: &'static str) -> Response<Body> {
    let (method, path) = request.split_once(' ').unwrap();
    let request = Request::builder().method(method).uri(path).header(header::HOST, "localhost");
    desk.call(request.body(Body::from(body)).unwrap()).await.unwrap()
}

fn desk() -> (App, Desk, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let app = App::new(&fuzz::context(dir.path()));
    let desk = TowerToHyperService::new(fuzz::desk(&app));
    (app, desk, dir)
}

#[tokio::test]
async fn who_signs_in_without_readable_accounts_holds_up_nobody() {
    let (app, desk, _dir) = desk();
    let reading = app.files().turn().unwrap();
    let mut sign_ins: Vec<_> =
        (0..4).map(|_| Box::pin(ask(&desk, "POST /api/session", r#"{"token":"0-0"}"#))).collect();
    for sign_in in &mut sign_ins {
        assert!(sign_in.now_or_never().is_none(), "the disk has not answered");
    }
    assert_eq!(ask(&desk, "GET /api/hall", "").await.status(), 200);
    drop(reading);
    for sign_in in sign_ins {
        assert_eq!(sign_in.await.status(), 401);
    }
}

#[tokio::test(start_paused = true)]
async fn a_disk_that_does_not_answer_is_said_and_asked_once() {
    let (app, desk, _dir) = desk();
    let asking = app.disks().turn().unwrap();
    for _ in 0..3 {
        let answer = ask(&desk, "GET /healthz", "").await;
        assert_eq!(answer.status(), 503);
        let text = to_bytes(answer.into_body(), 1 << 10).await.unwrap();
        assert!(text.starts_with(b"disk: does not answer\n"), "{text:?}");
    }
    drop(asking);
    assert_eq!(ask(&desk, "GET /healthz", "").await.status(), 200);
}
