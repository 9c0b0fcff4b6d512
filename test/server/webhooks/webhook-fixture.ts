import type {Reply} from '#test/support/api-client.ts';
import {testServer} from '#test/support/server.ts';

/** A server with a webhook bot of Meg's, and a function that calls a webhook with the bot's key. */
export async function webhookFixture() {
  const server = await testServer({rateLimited: false});
  const meg = server.people.member();
  server.people.channel('code', [meg]);
  const params = {full_name: 'Hook', short_name: 'hook', bot_type: 2};
  const bot: Reply = await server.as(meg).post('/bots', params);

  async function call(
    name: string,
    query: Readonly<Record<string, string>>,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    const address = `${server.url}/api/v1/external/${name}?${new URLSearchParams({api_key: bot.api_key, ...query})}`;
    const response = await fetch(address, {
      method: 'POST',
      headers: {'content-type': 'application/json', ...headers},
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const reply: Reply = JSON.parse(await response.text());
    return {status: response.status, ...reply};
  }

  /** Returns the last message that Meg received. */
  async function lastMessage(): Promise<Reply> {
    const query = {anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false};
    return (await server.as(meg).get('/messages', query)).messages[0];
  }

  return {server, meg, bot, call, lastMessage};
}
