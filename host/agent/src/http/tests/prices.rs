use super::*;

const FILE: &str = r#"
    currency = "EUR"
    [[price]]
    model = "m"
    input = 100000.0
    output = 200000.0
    [[price]]
    model = "openai-api/openai/m"
    input = 1
    output = 2
"#;

fn problem(text: &str) -> String {
    Prices::parse(text).unwrap_err().to_string()
}

#[test]
fn a_whole_name_goes_before_a_models_name_alone() {
    let prices = Prices::parse(FILE).unwrap();
    let of = |name| prices.of(&resolve(name, "http://h/v1"));
    assert_eq!(of("openai-api/openai/m").unwrap(), Price { input: 1.0, output: 2.0 });
    assert_eq!(of("openai-api/vllm/m").unwrap().cost(7, 3), 1.3);
    assert_eq!(prices.currency(), "EUR");
    assert_eq!(
        of("openai-api/vllm/x").unwrap_err().to_string(),
        "the price file has no price for `openai-api/vllm/x`: add [[price]] with model = \"openai-api/vllm/x\" or \"x\", input and output"
    );
}

#[test]
fn a_file_with_anything_unexpected_is_refused() {
    assert!(problem("currency = 'EUR'\ndiscount = 1").contains("unknown field `discount`"));
    assert!(
        problem("currency = 'EUR'\n[[price]]\nmodel='m'\ninput=1\noutput=1\ncached=1")
            .contains("unknown field `cached`")
    );
    assert!(problem("[[price]]\nmodel='m'\ninput=1\noutput=1").contains("missing field `currency`"));
    assert!(problem("currency = 'EUR'\n[[price]]\nmodel='m'\ninput=1").contains("missing field `output`"));
    let twice = "[[price]]\nmodel='m'\ninput=1\noutput=1\n".repeat(2);
    assert_eq!(problem(&format!("currency='EUR'\n{twice}")), "the price file gives `m` two prices: keep one");
    for number in ["-1", "nan", "inf"] {
        let text = format!("currency='EUR'\n[[price]]\nmodel='m'\ninput={number}\noutput=1");
        assert_eq!(problem(&text), "the price file gives `m` an input price that is none: it must be 0 or more");
    }
}

#[test]
fn costs_are_counted_and_a_limit_stops_before_the_next_request() {
    // 7 tokens read and 3 written a call: 1.3 each, the preflight's included.
    let settings = Settings { prices: Some(Prices::parse(FILE).unwrap()), cost_limit: Some(3.9), ..quick() };
    let (client, server) = played(settings, (0..9).map(|_| Answer::text("ok")));
    assert_eq!(client.usage().cost, Some(1.3));
    client.ask(&ask()).unwrap();
    client.ask(&ask()).unwrap();
    let error = client.ask(&ask()).unwrap_err();
    assert!(matches!(&error, ModelError::BudgetExceeded { .. }));
    assert_eq!(
        error.to_string(),
        "the budget for model `openai-api/vllm/m` is used up: 3.9000 EUR of 3.9 EUR are spent"
    );
    assert_eq!(server.chats().len(), 3);
    let usage = client.usage();
    assert_eq!((usage.answered, usage.input_tokens, usage.output_tokens), (2, 21, 9));
}

#[test]
fn a_limit_needs_a_price_and_a_server_that_counts() {
    let server =
        Scripted::script([Answer::chat(weir_scripted::Chat { usage: None, ..weir_scripted::Chat::text("yes") })])
            .unwrap();
    let at = |name| resolve(name, &server.base_url());
    let limited = |prices: Option<Prices>, cost_limit| Settings { prices, cost_limit: Some(cost_limit), ..quick() };
    let problem = |name, settings| Client::connect(at(name), settings).unwrap_err().to_string();
    assert_eq!(
        problem("openai-api/vllm/m", limited(None, 1.0)),
        "a cost limit needs a price file with the price of `openai-api/vllm/m`"
    );
    let prices = || Prices::parse(FILE).ok();
    assert_eq!(problem("openai-api/vllm/m", limited(prices(), f64::NAN)), "the cost limit must be a number, 0 or more");
    assert!(problem("openai-api/vllm/x", limited(prices(), 1.0)).contains("no price for `openai-api/vllm/x`"));
    assert!(server.requests().is_empty(), "all this is known without the server");
    assert!(problem("openai-api/vllm/m", limited(prices(), 1.0)).contains("gives no token counts"));
}
