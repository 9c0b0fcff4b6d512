import {builtInEmoji, EmojiNameTable} from '#content/emoji.ts';
import {type CompiledLinkifier, compileLinkifier} from '#content/linkifier.ts';
import {type MessageFacts, withFacts} from '#content/message-facts.ts';
import type {CustomEmoji, MentionedUser, ParseContext} from '#content/parse-context.ts';
import {parseMessage} from '#content/parse-message.ts';
import {plainText} from '#content/plain-text.ts';
import {asciiGlyphs, spokenGlyphs, unicodeGlyphs} from '#content/render/glyphs.ts';
import type {RenderContext, RenderOptions} from '#content/render/render-options.ts';
import type {MessageToken} from '#content/tokens.ts';
import {isMember} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {LruCache, objectBytes} from '#std/lru-cache.ts';
import {memoByObject, memoBySlices} from '#std/memo.ts';
import type {Frame} from '#ui/core/frame.ts';
import {nameContext} from '#ui/warnings/message-references.ts';
import {timeOptionsOf} from '#wording/moment-text.ts';

const linkifiersOf = memoBySlices(['linkifiers'], ({linkifiers}: AccountState): readonly CompiledLinkifier[] =>
  linkifiers.flatMap((linkifier) => compileLinkifier(linkifier) ?? []),
);

const emojiByName = memoBySlices(['emoji'], ({emoji}: AccountState): ReadonlyMap<string, CustomEmoji> => {
  const active = [...emoji.values()].filter(({deactivated}) => !deactivated);
  // Of an animated emoji only the first picture is shown.
  return new Map(
    active.map(({id, name, sourceUrl, stillUrl}) => [name, {id: String(id), sourceUrl: stillUrl ?? sourceUrl}]),
  );
});

/**
 * Returns the account's context for rendering messages. The same object while nothing in it changes, so that rendered
 * lines can be cached.
 */
export const messageContext = memoBySlices(
  ['self', 'server', 'realm', 'users', 'groups', 'channels', 'emoji', 'unicodeEmoji', 'linkifiers'],
  (state: AccountState): RenderContext => {
    const {self, realm, channels} = state;
    const language = realm.defaultCodeBlockLanguage;
    const names = nameContext(state);
    return {
      ...names,
      userByName: (name) => asWritten(names.userByName?.(name)),
      userById: (id, name) => asWritten(userWithId(names, id, name)),
      groupByName: (name) => asWritten(names.groupByName?.(name)),
      groupById: (id) => asWritten(names.groupById?.(id)),
      selfId: self.userId,
      // Group membership by account age is left to the server; by role and list it does not depend on the time.
      isInGroup: (groupId) => isMember(state, self.userId, groupId, 0),
      followsRenames: true,
      channelById: (id) => channels.get(id),
      customEmoji: (name) => emojiByName(state).get(name),
      unicodeEmoji: () => emojiTable(state),
      linkifiers: linkifiersOf(state),
      ...(realm.emptyTopicDisplayName !== undefined && {emptyTopicName: realm.emptyTopicDisplayName}),
      ...(typeof language === 'string' && language !== '' && {defaultCodeLanguage: language}),
    };
  },
);

/**
 * Returns whom `@**Name|12**` most likely means: user 12, unless they have another name today and somebody else has this one.
 * The server's rendering says it with certainty (`withFacts`).
 */
function userWithId({userById, userByName}: ParseContext, id: number, name = ''): MentionedUser | undefined {
  const user = userById?.(id);
  const isOther = name !== '' && user?.fullName.toLowerCase() !== name.toLowerCase();
  return (isOther ? userByName?.(name) : undefined) ?? user;
}

/** Returns a user or group as it most likely was when a message was written: a deactivation silences only later mentions. */
function asWritten<T extends {isActive: boolean}>(mentioned: T | undefined): T | undefined {
  return mentioned === undefined || mentioned.isActive ? mentioned : {...mentioned, isActive: true};
}

/** Returns the Unicode emoji with the names that the account's server accepts. */
export const emojiTable = memoBySlices(
  ['unicodeEmoji'],
  ({unicodeEmoji}: AccountState): EmojiNameTable =>
    unicodeEmoji === undefined ? builtInEmoji() : new EmojiNameTable(unicodeEmoji.names),
);

/** More than any row shows; the rest is not parsed. */
const maxCharacters = 600;
const maxExcerptBytes = 256 * 1024;

interface Excerpt {
  readonly start: string;
  readonly text: string;
}

/** By names, then by the start of the text, or by the facts of a message that has some. */
const excerptsByNames = memoByObject(
  (_names: ParseContext) =>
    new LruCache<string | MessageFacts, Excerpt>(
      maxExcerptBytes,
      ({start, text}) => 3 * objectBytes + start.length + text.length,
    ),
);
const noNames: ParseContext = {};

/**
 * Returns a message's text on one line without markup, the content of spoilers left out. `names` resolves mentions; it is
 * the same object while no name changes. `facts` are those of the message.
 */
export function excerpt(content: string, names: ParseContext = noNames, facts?: MessageFacts): string {
  const start = content.slice(0, maxCharacters);
  const excerpts = excerptsByNames(names);
  const cached = excerpts.get(facts ?? start);
  if (cached?.start === start) return cached.text;
  const tokens = parseMessage(start, withFacts(names, facts)).map(withoutSpoilers);
  const text = plainText(tokens).replaceAll(/\s+/g, ' ').trim();
  excerpts.set(facts ?? start, {start, text});
  return text;
}

function withoutSpoilers(token: MessageToken): MessageToken {
  if (token.type === 'spoiler') return {...token, children: []};
  return token.type === 'quote' ? {...token, children: token.children.map(withoutSpoilers)} : token;
}

const renderGlyphs = {ascii: asciiGlyphs, unicode: unicodeGlyphs, words: spokenGlyphs} as const;

/** Returns how messages and other Markdown are rendered on this terminal, with times in the account's format. */
export function renderOptionsOf(
  frame: Pick<Frame, 'account' | 'display' | 'minute'>,
  width: number,
): RenderOptions & {readonly now: number} {
  const {zone, hour12, dateOrder, now} = timeOptionsOf(frame);
  const {glyphs, emoji} = frame.display;
  return {
    width: Math.max(1, width),
    glyphs: renderGlyphs[glyphs],
    emoji,
    zone,
    hour12: hour12 === true,
    dateOrder,
    now,
  };
}
