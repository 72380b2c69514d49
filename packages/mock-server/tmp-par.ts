import { compare } from './test/support/compare.ts';
import { createMock } from './src/node.ts';
for (let i = 0; i < 4; i++) {
  const a = performance.now(); const c = process.cpuUsage();
  const mock = createMock();
  await compare(mock);
  const d = process.cpuUsage(c);
  console.log(Math.round(performance.now() - a), 'ms', Math.round((d.user + d.system) / 1000), 'cpu');
}
