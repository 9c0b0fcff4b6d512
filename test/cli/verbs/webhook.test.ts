import {expect, test} from 'vitest';
import {operate} from '#test/cli/serve/operator-fixture.ts';

const address = 'https://chat.example.com/api/v1/external/slack_incoming?api_key=KEY&stream=builds';

test('webhook: the address gets the templates, and --try shows what a body becomes', async () => {
  const templates = ['--topic', '{{repo.name}}', '--content', '{{who}} was here'];
  const {code, out} = await operate('webhook', [address, ...templates]);
  const url = new URL(out.trim());
  expect([code, url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
    0,
    '/api/v1/external/json',
    {api_key: 'KEY', stream: 'builds', topic_template: '{{repo.name}}', content_template: '{{who}} was here'},
  ]);
  const again = await operate('webhook', [out.trim(), '--content', 'other']);
  expect(new URL(again.out.trim()).searchParams.getAll('content_template')).toEqual(['other']);
  const input = '{"repo": {"name": "harbor"}, "who": "Ann"}';
  expect(await operate('webhook', [address, ...templates, '--try', '-'], {input})).toMatchObject({
    code: 0,
    out: 'harbor\n\nAnn was here\n',
  });
});

test('webhook: a wrong template, address or body is refused in one sentence', async () => {
  const refusal = async (argv: readonly string[], input = '') => {
    const {code, out, err} = await operate('webhook', argv, {input});
    expect([code === 0, out]).toEqual([false, '']);
    return err;
  };
  expect(await refusal([address, '--content', '{{#if x}}'])).toBe('The template is wrong: {{#if x}} has no {{/if}}.\n');
  expect(await refusal(['https://example.com/', '--content', 'x'])).toMatch(/is not the address of a webhook\.\n$/);
  expect(await refusal([address])).toBe('Give the template of the message with --content TEMPLATE.\n');
  expect(await refusal([address, '--content', 'x', '--try', '-'], 'not JSON')).toBe('The body is not JSON.\n');
});
