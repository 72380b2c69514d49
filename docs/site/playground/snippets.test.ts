import { expect, test } from 'vitest';
import { type Choice, policy, slots, style, tag } from './snippets.ts';

const choice: Choice = {
  baseUrl: 'https://blog.example/',
  apiKey: 'KEY',
  formats: ['BANNER', 'NATIVE'],
  label: '',
  consent: '',
  look: {},
  images: '',
};

test('the tags for the head match the guide', () => {
  expect(tag(choice)).toBe(`<link rel="stylesheet" href="https://blog.example/broadsheet.css">
<script async src="https://blog.example/broadsheet.js"
        data-base-url="https://blog.example" data-api-key="KEY"></script>`);
  expect(tag({ ...choice, consent: 'tcf' })).toContain('data-api-key="KEY" data-consent="tcf">');
});

test('each chosen format has a slot with the label', () => {
  expect(slots({ ...choice, label: 'Sponsored' })).toBe(
    `<broadsheet-slot name="banner" format="BANNER" label="Sponsored"></broadsheet-slot>
<broadsheet-slot name="native" format="NATIVE" label="Sponsored"></broadsheet-slot>`,
  );
});

test('typed text is escaped in attributes', () => {
  expect(tag({ ...choice, apiKey: '"><script>' })).toContain('data-api-key="&quot;&gt;&lt;script&gt;"');
  expect(slots({ ...choice, label: '"&' })).toContain('label="&quot;&amp;"');
});

test('the policy names only the server and the image hosts', () => {
  expect(policy({ ...choice, baseUrl: 'https://blog.example:8080/api' })).toBe(
    'script-src https://blog.example:8080; style-src https://blog.example:8080; connect-src https://blog.example:8080; img-src https:',
  );
  expect(policy({ ...choice, images: 'https://img.example' })).toContain('img-src https://img.example');
});

test('the style sheet contains only changed variables', () => {
  expect(style(choice)).toBe('');
  expect(style({ ...choice, look: { paper: '#fff8e7', radius: '0px' } })).toBe(
    'broadsheet-slot {\n  --broadsheet-paper: #fff8e7;\n  --broadsheet-radius: 0px;\n}',
  );
});
