import {encodeNarrowOperand} from '#content/narrow-link.ts';
import {ApiClient} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

/** The address of the organization that is moved. */
export const oldSite = 'chat.example.com';

/** What the links lead to. */
interface LinkTargets {
  readonly channel: number;
  readonly harbor: number;
  readonly near: number;
  readonly later: number;
  readonly deleted: number;
  readonly direct: number;
  readonly ann: number;
  readonly sam: number;
  readonly otherSam: number;
  readonly group: number;
  /** The paths of an uploaded text and picture. */
  readonly notes: string;
  readonly picture: string;
}

/** The addresses that can be linked, by what they are. */
function addresses(t: LinkTargets): Readonly<Record<string, string>> {
  const topic = `topic/${encodeNarrowOperand('tide (high) & low')}`;
  return {
    channel: `#narrow/channel/${t.channel}-blue-boats`,
    'channel by id': `#narrow/channel/${t.channel}`,
    'former name of channels': `#narrow/stream/${t.channel}-blue-boats`,
    topic: `#narrow/channel/${t.channel}-blue-boats/${topic}`,
    'former name of topics': `#narrow/stream/${t.channel}-blue-boats/subject/${encodeNarrowOperand('tide (high) & low')}`,
    'message in a topic': `#narrow/channel/${t.channel}-blue-boats/${topic}/near/${t.near}`,
    'later message': `#narrow/channel/${t.channel}-blue-boats/${topic}/near/${t.later}`,
    'topic by a message': `#narrow/channel/${t.channel}-blue-boats/${topic}/with/${t.near}`,
    'message in a channel': `#narrow/channel/${t.channel}-blue-boats/near/${t.near}`,
    'message alone': `#narrow/near/${t.near}`,
    'message by id': `#narrow/id/${t.later}`,
    'direct messages': `#narrow/dm/${t.ann}-Ann`,
    'direct messages of a group': `#narrow/dm/${t.ann},${t.sam}-group`,
    'direct message': `#narrow/dm/${t.ann}-Ann/near/${t.direct}`,
    'former name of direct messages': `#narrow/pm-with/${t.ann}-user${t.ann}`,
    'direct messages with somebody': `#narrow/dm-including/${t.sam}-Sam`,
    'former direct messages with somebody': `#narrow/group-pm-with/${t.sam}-Sam`,
    sender: `#narrow/sender/${t.ann}-Ann`,
    'sender in a channel': `#narrow/channel/${t.channel}-blue-boats/sender/${t.otherSam}`,
    mentions: `#narrow/mentions/${t.ann}`,
    'without a channel': `#narrow/-channel/${t.channel}-blue-boats/search/anchor`,
    'search in a channel': `#narrow/channel/${t.harbor}-harbor/search/tide.20table`,
    'words only': '#narrow/is/starred',
    person: `#user/${t.ann}`,
    group: `#groups/${t.group}/crew/general`,
    'settings of a channel': `#channels/${t.channel}/blue.20boats/general`,
    'former settings of a channel': `#streams/${t.channel}/blue.20boats`,
    'page of the app': '#settings/profile',
    file: t.notes,
    picture: t.picture,
  };
}

/** The ways to write a link to an address. */
const spellings: Readonly<Record<string, (address: string) => string>> = {
  relative: (to) => `[there](${to})`,
  'after a slash': (to) => `[there](${to.replace(/^#/, '/#')})`,
  absolute: (to) => `[there](${absolute(to)})`,
  'scheme in capitals': (to) => `[there](${absolute(to).replace(/^https:\/\/[^/]+/, (site) => site.toUpperCase())})`,
  'other scheme': (to) => `[there](${absolute(to).replace('https:', 'http:')})`,
  'without a slash': (to) => `[there](${absolute(to).replace('/#', '#')})`,
  'without a scheme': (to) => `[there](${absolute(to).replace('https://', '')})`,
  'in angle brackets': (to) => `[there](<${absolute(to)}>)`,
  'with a title': (to) => `[there](${absolute(to)} "a title")`,
  'bare address': (to) => `see ${absolute(to)}, or not`,
  'its own text': (to) => `[${absolute(to)}](${absolute(to)})`,
};

const absolute = (to: string) => `https://${oldSite}${to.replace(/^#/, '/#')}`;

/** The forms that have a syntax of their own. */
function ownSyntax(t: LinkTargets): Readonly<Record<string, string>> {
  return {
    'mention with an id': `@**Ann|${t.ann}**`,
    'silent mention with an id': `@_**Ann|${t.ann}**`,
    'mention by id': `@**|${t.ann}**`,
    'mention of one of two with the same name': `@**Sam|${t.sam}**`,
    'silent mention of the other': `@_**Sam|${t.otherSam}**`,
    'mention by name': '@**Ann**',
    'mention of a group': '@*crew*',
    'mention of all': '@**all**',
    'link to a channel': '#**blue boats**',
    'link to a topic': '#**blue boats>tide (high) & low**',
    'link to a message': `#**blue boats>tide (high) & low@${t.near}**`,
    'link to a later message': `#**blue boats>tide (high) & low@${t.later}**`,
    quote: `@_**Sam|${t.otherSam}** [said](https://${oldSite}/#narrow/channel/${t.channel}-blue-boats/topic/x/near/${t.near}):\n\`\`\`quote\n@_**Ann|${t.ann}**: #**blue boats>tide (high) & low@${t.later}**\n\`\`\``,
    list: `* [one](#narrow/channel/${t.channel}-blue-boats/near/${t.near})\n* https://${oldSite}/#narrow/dm/${t.ann}-Ann`,
    table: `a | b\n--- | ---\n[one](#user/${t.ann}) | #**harbor**`,
    spoiler: `\`\`\`spoiler @**Sam|${t.sam}**\n[one](/#narrow/near/${t.later})\n\`\`\``,
    'several words': `**[one](#narrow/id/${t.near})** and ~~[two](#user/${t.sam})~~ and :smile: [three](${t.notes})`,
    'other organization': `[there](https://other.example.org/#narrow/channel/${t.channel}-blue-boats/near/${t.near})`,
    'page of the site': `[help](https://${oldSite}/help/keyboard-shortcuts) and [start](https://${oldSite}/)`,
    code: `\`#narrow/near/${t.near}\` [there](#narrow/near/${t.near})`,
    'a picture in the text': `![tern](${t.picture})`,
  };
}

/** Links to a message that was deleted lead to its topic. */
export function lostForms(t: LinkTargets): Readonly<Record<string, string>> {
  const view = `#narrow/channel/${t.channel}-blue-boats/topic/tide`;
  return {
    'deleted message': `[there](${view}/near/${t.deleted})`,
    'deleted message, absolute': `https://${oldSite}/${view}/near/${t.deleted}`,
    'topic by a deleted message': `[there](${view}/with/${t.deleted})`,
    'link to a deleted message': `#**blue boats>tide@${t.deleted}**`,
  };
}

/** All forms as texts of messages, by name. */
function forms(t: LinkTargets): [name: string, text: string][] {
  const linked = Object.entries(addresses(t)).flatMap(([what, address]) =>
    Object.entries(spellings).map(([how, write]): [string, string] => [`${what}, ${how}`, write(address)]),
  );
  return [...linked, ...Object.entries(ownSyntax(t)), ...Object.entries(lostForms(t))];
}

/** A server with everything that links can lead to, and a message for each form; most of their targets are between others. */
export async function linkedOrganization() {
  const server = await testServer({rateLimited: false, publicUrl: `https://${oldSite}`});
  const {people, context} = server;
  const {db} = context;
  const olive = people.owner();
  const client = clientOf(server, olive);
  // So that no old id is also a new one of the same row.
  db.exec(`UPDATE sqlite_sequence SET seq = seq + 40 WHERE name IN ('user', 'channel', 'user_group')`);
  const [sam, ann] = [people.add('Sam', {email: 'sam@example.com'}), people.add('Ann')];
  const otherSam = people.add('Sam', {email: 'other.sam@example.com'});
  const all = [olive, sam, ann, otherSam];
  const harbor = people.channel('harbor', all);
  const channel = people.channel('blue boats', all);
  people.channel('2026 plans', all);
  await client.post('/user_groups/create', {
    name: 'crew',
    description: 'c',
    members: [ann.id],
  });
  const send = async (content: string, topic = 'tide (high) & low') =>
    Number((await client.post('/messages', {type: 'stream', to: 'blue boats', topic, content})).id);
  const upload = async (name: string, bytes: Uint8Array<ArrayBuffer>) =>
    String((await client.upload('/user_uploads', name, bytes)).body.url);
  await send('first');
  const deleted = await send('deleted', 'tide');
  await send('stays', 'tide');
  const near = await send('near');
  const direct = Number((await client.post('/messages', {type: 'direct', to: [ann.id], content: 'direct'})).id);
  const [notes, picture] = [await upload('notes.txt', new Uint8Array(9)), await upload('tern.png', picturePng)];
  const later = near + 400;
  const targets: LinkTargets = {
    channel,
    harbor,
    near,
    later,
    deleted,
    direct,
    ann: ann.id,
    sam: sam.id,
    otherSam: otherSam.id,
    group: db.value(`SELECT id FROM user_group WHERE name = 'crew'`) ?? 0,
    notes,
    picture,
  };
  const sent = new Map<string, number>();
  for (const [name, text] of forms(targets)) sent.set(name, await send(text, 'forms'));
  for (let id = 0; id < later; ) id = await send('more');
  await client.delete(`/messages/${deleted}`);
  return {server, client, people: all, targets, sent, send};
}

function clientOf(server: TestServer, person: Person): ApiClient {
  return new ApiClient(`http://127.0.0.1:${server.port}`, person);
}

const picturePng: Uint8Array<ArrayBuffer> = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);
