// Prints the spans of the client's requests. A real program exports them together with its other spans.
//
//   BROADSHEET_BASE_URL=https://blog.example BROADSHEET_API_KEY=… node traced.ts
import { createClient } from '@broadsheet/sdk';
import { tracing } from '@broadsheet/sdk/otel';
import { trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));

const blog = createClient({ middleware: [tracing()] });
await blog.posts.list({ limit: 2 });
await blog.posts.get('nowhere').safe();

for (const { name, attributes } of exporter.getFinishedSpans())
  console.log(name, attributes['http.response.status_code'], attributes['error.type'] ?? 'ok');
