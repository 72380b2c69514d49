// Imported first by both main doors: what stands below, and MSW, would fail here in words that help nobody.
if (typeof TextEncoder === 'undefined') {
  throw new Error("mock: there is no TextEncoder; set Jest's testEnvironment to 'jest-fixed-jsdom' or 'node'");
}
