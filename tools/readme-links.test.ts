import { expect, test } from 'vitest';
import { withAbsoluteLinks } from './readme-links.ts';

const repository = { url: 'git+https://forge.example/ada/broadsheet.git', directory: 'packages/sdk' };
const readme =
  '[Guide](../../docs/guides/node.md#keys), [mock](../mock-server/README.md), ![x](../../docs/a.png), [API](https://a.example/), [here](#x)';

test('a packed README links by absolute URLs', () => {
  expect(withAbsoluteLinks(readme, { repository })).toBe(
    '[Guide](https://forge.example/ada/broadsheet/blob/main/docs/guides/node.md#keys), ' +
      '[mock](https://forge.example/ada/broadsheet/blob/main/packages/mock-server/README.md), ' +
      '![x](https://forge.example/ada/broadsheet/raw/main/docs/a.png), [API](https://a.example/), [here](#x)',
  );
});

test.each([{}, { repository: { url: 'git+https://REPOSITORY.example/OWNER/broadsheet.git' } }])(
  'without a repository in the manifest, links are not changed: %j',
  (manifest) => {
    expect(withAbsoluteLinks(readme, manifest)).toBe(readme);
  },
);
