/** What plugins asked of models, and what came back. */
import { count } from "../format";
import { Name, Text } from "./Text";
import type { Exchange, Trace } from "./trace";

export function Exchanges({ trace }: { trace: Trace }) {
  const all = Object.entries(trace.header.exchanges ?? {});
  if (all.length === 0) return null;
  return (
    <section>
      <h3>Asked of models by plugins</h3>
      {all.map(([part, exchanges]) => exchanges.map((exchange, index) => (
        <details key={`${part} ${index}`}>
          <summary>{index + 1} of {exchanges.length}: by the <Name text={part} />, role <Name text={exchange.request.role} /></summary>
          <One exchange={exchange} />
        </details>
      )))}
    </section>
  );
}

function One({ exchange: { request, answer } }: { exchange: Exchange }) {
  const { completion, refusal } = answer;
  return (
    <>
      {request.messages.map(({ speaker, content }, index) => (
        <div key={index}><h4><Name text={speaker} /></h4><Text text={content} what="message" /></div>
      ))}
      {request.response_schema !== undefined && <><h4>answer's schema</h4><Text text={request.response_schema} what="schema" /></>}
      <h4>{refusal !== undefined ? "refused" : "answer"}</h4>
      <Text text={completion?.text ?? refusal ?? JSON.stringify(answer)} what="answer" />
      <p class="quiet">
        at most {count(request.max_tokens)} tokens{completion && `; read ${count(completion.input_tokens)}, wrote ${count(completion.output_tokens)}`}
      </p>
    </>
  );
}
