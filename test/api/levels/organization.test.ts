import {describe, expect, test} from 'vitest';
import {makeApi} from '#api/api.ts';
import {clientOf, connectTo, failureOf, httpServer} from '#test/api/client.ts';
import {urlTemplate} from '#wire/objects/organization.ts';
import {levelFixture} from './level-fixture.ts';

describe('the organization', () => {
  test.each([122, 175, 176])('level %i: linkifiers have URL templates', async (level) => {
    const {server, owner} = await levelFixture(level);
    const api = clientOf(server, owner);
    const linkifier = {pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example/a%20b/{+id}'};
    await api.addLinkifier(linkifier);
    expect((await api.getLinkifiers()).linkifiers.map(urlTemplate)).toEqual([linkifier.url_template]);
  });

  test.each([357, 391, 392])('level %i: settings with former names can be changed', async (level) => {
    const {server, owner} = await levelFixture(level);
    const api = clientOf(server, owner);
    await api.updateRealm({
      topics_policy: 'disable_empty_topic',
      message_edit_history_visibility_policy: 'none',
    });
    const rows = server.context.db.all<{name: string; value: string}>('SELECT name, value FROM realm_setting');
    const settings = Object.fromEntries(rows.map(({name, value}) => [name, JSON.parse(value)]));
    expect(settings).toMatchObject({
      topics_policy: 'disable_empty_topic',
      message_edit_history_visibility_policy: 'none',
    });
  });

  test.each([122, 442, 471, 472])('level %i: attachments have the current format', async (level) => {
    const {api, channel} = await levelFixture(level);
    const {url} = await api.uploadFile({file: {name: 'x.txt', size: 1, data: new Blob(['x'])}});
    const content = `[x](${url})`;
    const {id} = await api.sendMessage({type: 'channel', to: channel, topic: 't', content});
    const {attachments} = await api.getAttachments();
    expect(attachments).toEqual([expect.objectContaining({message_ids: [id], name: 'x.txt'})]);
    expect(attachments[0]?.create_time).toBeLessThan(1e11);
    const edited = await api.editMessage({message_id: id, content: 'gone'});
    expect(edited.detached_uploads?.length).toBe(level < 285 ? 0 : 1);
  });

  test.each([289, 290])('level %i: a group is deactivated', async (level) => {
    const {server, owner} = await levelFixture(level);
    const api = clientOf(server, owner);
    await api.createGroup({name: 'crew', description: '', members: [owner.id]});
    const find = async () => (await api.getGroups()).user_groups.find(({name}) => name === 'crew');
    await api.deactivateGroup({user_group_id: (await find())?.id ?? 0});
    expect(await find()).toBeUndefined();
  });
});

describe('video calls', () => {
  const request = {name: 'standup', random: () => 0.5};

  test('a Jitsi call needs no request', async () => {
    const api = makeApi(connectTo({site: 'http://127.0.0.1:1'}));
    const start = (realm: object, audioOnly = false) =>
      api.startVideoCall({...request, audioOnly, realm: {realm_video_chat_provider: 1, ...realm}});
    expect(await start({realm_jitsi_server_url: null, server_jitsi_server_url: 'https://meet.example/'})).toEqual({
      url: 'https://meet.example/555555555555555',
    });
    expect(await start({jitsi_server_url: 'https://old.example'}, true)).toEqual({
      url: 'https://old.example/555555555555555#config.startWithVideoMuted=true',
    });
    expect(await failureOf(start({}))).toMatchObject({kind: 'permanent', carriedOut: 'no'});
  });

  test.each([
    [3, 'POST /api/v1/calls/zoom/create is_video_call=true'],
    [5, 'POST /api/v1/calls/zoom/create is_video_call=true'],
    [4, 'GET /api/v1/calls/bigbluebutton/create?meeting_name=standup&voice_only=false '],
    [6, 'POST /api/v1/calls/constructorgroups/create '],
    [7, 'POST /api/v1/calls/nextcloud_talk/create room_name=standup'],
    [8, 'POST /api/v1/calls/conference/create '],
  ])('provider %i: the call is created with one request', async (provider, line) => {
    const requests: string[] = [];
    const site = await httpServer(async (incoming, response) => {
      const body = Buffer.concat(await Array.fromAsync(incoming)).toString();
      requests.push(`${incoming.method} ${incoming.url} ${body}`);
      response.end(JSON.stringify({result: 'success', msg: '', url: '/calls/join'}));
    });
    const connection = connectTo({site});
    connection.level = 509;
    const realm = {realm_video_chat_provider: provider};
    const {url} = await makeApi(connection).startVideoCall({...request, realm});
    expect(requests).toEqual([line]);
    expect(url).toBe(provider === 4 ? `${site}/calls/join` : '/calls/join');
  });

  test('the other name of the conference provider is tried after a 404', async () => {
    const site = await httpServer((incoming, response) => {
      const known = incoming.url?.includes('webex');
      response.writeHead(known ? 200 : 404).end(known ? '{"result":"success","msg":"","url":"https://w"}' : 'no');
    });
    const connection = connectTo({site});
    connection.level = 509;
    const realm = {realm_video_chat_provider: 8};
    expect(await makeApi(connection).startVideoCall({...request, realm})).toMatchObject({url: 'https://w'});
  });

  test('an organization without a provider fails', async () => {
    const api = makeApi(connectTo({site: 'http://127.0.0.1:1'}));
    for (const provider of [0, 99, undefined]) {
      const realm = {realm_video_chat_provider: provider};
      expect(await failureOf(api.startVideoCall({...request, realm}))).toMatchObject({kind: 'permanent'});
    }
  });
});

test('getServerSettings and register set the connection level', async () => {
  const {server, meg} = await levelFixture(277);
  const api = clientOf(server, meg);
  api.connection.level = 0;
  await api.getServerSettings();
  expect(api.connection.level).toBe(277);
  api.connection.level = 0;
  await api.register({fetch_event_types: []});
  expect(api.connection.level).toBe(277);
});
