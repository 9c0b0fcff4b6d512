import type {ParseContext} from '#content/parse-context.ts';
import {parseMessage} from '#content/parse-message.ts';
import {plainText} from '#content/plain-text.ts';
import type {MessageToken} from '#content/tokens.ts';
import {LruCache} from '#std/lru-cache.ts';

/** More than any row shows; the rest is not read for it. */
const mostCharacters = 600;
const mostKnown = 500;
const knownBy = new WeakMap<ParseContext, LruCache<string, string>>();
const nobody: ParseContext = {};

/**
 * What a message says, without markup and on one line. What a spoiler hides stays hidden. Whom it names is known by `names`,
 * which is the same object for as long as they are called the same.
 */
export function excerpt(content: string, names: ParseContext = nobody): string {
  const start = content.slice(0, mostCharacters);
  let known = knownBy.get(names);
  if (known === undefined) {
    known = new LruCache(mostKnown);
    knownBy.set(names, known);
  }
  let text = known.get(start);
  if (text === undefined) {
    text = plainText(parseMessage(start, names).map(closed)).replaceAll(/\s+/g, ' ').trim();
    known.set(start, text);
  }
  return text;
}

function closed(token: MessageToken): MessageToken {
  if (token.type === 'spoiler') return {...token, children: []};
  return token.type === 'quote' ? {...token, children: token.children.map(closed)} : token;
}
