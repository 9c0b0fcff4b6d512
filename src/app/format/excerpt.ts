import type {ParseContext} from '#content/parse-context.ts';
import {parseMessage} from '#content/parse-message.ts';
import {plainText} from '#content/plain-text.ts';
import type {MessageToken} from '#content/tokens.ts';
import {LruCache} from '#std/lru-cache.ts';

/** More than any row shows; the rest is not parsed. */
const maxCharacters = 600;
const maxExcerpts = 500;
const excerptsByNames = new WeakMap<ParseContext, LruCache<string, string>>();
const noNames: ParseContext = {};

/**
 * Returns a message's text on one line without markup, the content of spoilers left out. `names` resolves mentions; it is
 * the same object while no name changes.
 */
export function excerpt(content: string, names: ParseContext = noNames): string {
  const start = content.slice(0, maxCharacters);
  let excerpts = excerptsByNames.get(names);
  if (excerpts === undefined) {
    excerpts = new LruCache(maxExcerpts);
    excerptsByNames.set(names, excerpts);
  }
  let text = excerpts.get(start);
  if (text === undefined) {
    text = plainText(parseMessage(start, names).map(withoutSpoilers)).replaceAll(/\s+/g, ' ').trim();
    excerpts.set(start, text);
  }
  return text;
}

function withoutSpoilers(token: MessageToken): MessageToken {
  if (token.type === 'spoiler') return {...token, children: []};
  return token.type === 'quote' ? {...token, children: token.children.map(withoutSpoilers)} : token;
}
