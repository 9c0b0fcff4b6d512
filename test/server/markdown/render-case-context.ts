import {createHmac} from 'node:crypto';
import {compileLinkifier} from '#content/linkifier.ts';
import type {MentionedUser} from '#content/parse-context.ts';
import type {HtmlRenderContext} from '#server/markdown/inline-html.ts';

const users: MentionedUser[] = [
  {id: 7, fullName: 'Zoe', isActive: true},
  {id: 8, fullName: 'Othello, the Moor of Venice', isActive: true},
  {id: 9, fullName: 'Iago', isActive: true},
  {id: 10, fullName: 'King Hamlet', isActive: true},
  {id: 11, fullName: 'Cordelia, Lear’s daughter', isActive: true},
  {id: 12, fullName: 'Gone Away', isActive: false},
];
const channels = new Map([
  ['Denmark', 1],
  ['Scotland', 2],
  ['Venice', 3],
  ['Verona', 4],
  ['Rome', 5],
  ['Zulip', 6],
]);

/** Returns the proxy URL of an image by the camo scheme: a signed path on another host. */
function proxyUrl(url: string): string {
  const digest = createHmac('sha1', 'dummy').update(url).digest('hex');
  return `https://external-content.zulipcdn.net/external_content/${digest}/${Buffer.from(url).toString('hex')}`;
}

/** Returns the context of the organization that the rendering cases were written for. */
export function renderCaseContext(options: {translateEmoticons?: boolean} = {}): HtmlRenderContext {
  const issue = compileLinkifier({
    pattern: '#(?P<id>[0-9]{2,8})',
    urlTemplate: 'https://trac.example.com/ticket/{id}',
  });
  return {
    realmUrl: 'http://zulip.testserver',
    userByName: (name) => users.find((user) => user.fullName.toLowerCase() === name.toLowerCase()),
    userById: (id) => users.find((user) => user.id === id),
    groupByName: (name) =>
      name.toLowerCase() === 'hamletcharacters'
        ? {id: 1, name: 'hamletcharacters', isSystem: false, isActive: true}
        : undefined,
    channelByName: (name) => {
      const id = channels.get(name);
      return id === undefined ? undefined : {id};
    },
    customEmoji: (name) =>
      name === 'green_tick' ? {id: '1', sourceUrl: '/user_avatars/2/emoji/images/1.png'} : undefined,
    linkifiers: issue === undefined ? [] : [issue],
    translateEmoticons: options.translateEmoticons ?? false,
    proxyUrl,
    previewImages: true,
  };
}
