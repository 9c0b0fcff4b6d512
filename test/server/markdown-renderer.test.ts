import {expect, test} from 'vitest';
import {findMessage} from '#server/db/messages.ts';
import {MarkdownRenderer} from '#server/markdown-renderer.ts';
import {testServer} from '#test/support/server.ts';

async function fixture() {
  const server = await testServer({testHooks: true});
  const owner = server.people.owner();
  const otto = server.people.member('Otto');
  const channelId = server.people.channel('tides', [owner, otto]);
  const as = server.as(owner);
  const htmlOf = async (id: number) => (await as.get(`/messages/${id}`)).message.content;
  /** What the server returns after a restart, when nothing is cached. */
  const htmlAfterRestart = (id: number) => {
    const row = findMessage(server.context.db, id);
    return row && new MarkdownRenderer(server.context).messageHtml(row);
  };
  const post = async (content: string, topic = 'high water') =>
    (await as.post('/messages', {type: 'stream', to: channelId, topic, content})).id as number;
  return {server, owner, otto, as, channelId, htmlOf, htmlAfterRestart, post};
}

test('message html: renaming a user, group, channel or topic does not change what was rendered', async () => {
  const {otto, as, channelId, htmlOf, htmlAfterRestart, post, owner} = await fixture();
  const group = await as.post('/user_groups/create', {name: 'crew', description: '', members: [owner.id]});
  const first = await post('low');
  const id = await post('@**Otto** @*crew* #**tides** #**tides>high water**');
  const before = await htmlOf(id);
  expect(before).toContain(`<span class="user-mention" data-user-id="${otto.id}">@Otto</span>`);
  expect(before).toContain(`data-user-group-id="${group.group_id}">@crew</span>`);
  expect(before).toContain(`data-stream-id="${channelId}" href="/#narrow/channel/${channelId}-tides">#tides</a>`);
  expect(before).toContain(`/topic/high.20water/with/${first}">#tides &gt; high water</a>`);
  await as.patch(`/users/${otto.id}`, {full_name: 'Otto the Great'});
  await as.patch(`/user_groups/${group.group_id}`, {name: 'sailors'});
  await as.patch(`/streams/${channelId}`, {new_name: 'currents'});
  await as.patch(`/messages/${first}`, {topic: 'ebb', propagate_mode: 'change_all'});
  expect(await htmlOf(id)).toBe(before);
  expect(htmlAfterRestart(id)).toBe(before);
});

test('message html: a linkifier that is removed later still links the messages that were sent before', async () => {
  const {as, htmlOf, htmlAfterRestart, post} = await fixture();
  const linkifier = await as.post('/realm/filters', {
    pattern: 'T-(?P<id>[0-9]+)',
    url_template: 'https://tracker.example/{id}',
  });
  const id = await post('see T-7');
  await as.delete(`/realm/filters/${linkifier.id}`);
  const linked = '<p>see <a href="https://tracker.example/7">T-7</a></p>';
  expect([await htmlOf(id), htmlAfterRestart(id)]).toEqual([linked, linked]);
  await as.patch(`/messages/${id}`, {content: 'see T-8'});
  expect(await htmlOf(id)).toBe('<p>see T-8</p>');
});

test('message html: a link preview made later is sent as a new rendering without an edit', async () => {
  const {server, otto, htmlOf, post} = await fixture();
  const id = await post('https://tide.example');
  const queue = await server.as(otto).listen({event_types: ['update_message']});
  const html = '<p>link</p><div class="message_embed"></div>';
  const body = JSON.stringify({message_id: id, html});
  expect((await fetch(`${server.url}/test-hooks/rendering`, {method: 'POST', body})).status).toBe(200);
  expect(await queue.events()).toMatchObject([
    {type: 'update_message', rendering_only: true, user_id: null, message_id: id, rendered_content: html},
  ]);
  expect(await htmlOf(id)).toBe(html);
});
