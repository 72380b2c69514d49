// Both main entry points import this first: later imports, and MSW, would fail with a less helpful message.
if (typeof TextEncoder === 'undefined') {
  throw new Error("mock: there is no TextEncoder; set Jest's testEnvironment to 'jest-fixed-jsdom' or 'node'");
}
