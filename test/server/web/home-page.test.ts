import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

test('home page: a browser gets a page that says what this is and how to join', async () => {
  const server = await testServer();
  server.people.setting('name', 'The <Quay>');
  const response = await fetch(`${server.url}/`, {headers: {accept: 'text/html'}});
  const page = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page).toContain('<h1>The &lt;Quay&gt;</h1>');
  expect(page).toContain(`<pre>parley login ${server.url}</pre>`);
  expect(page).toMatch(/ask somebody who has one for an invitation/);
  const [, link = ''] = /href="([^"]+)"/.exec(page) ?? [];
  expect((await fetch(`${server.url}${link}`)).headers.get('content-type')).toContain('text/html');
});
