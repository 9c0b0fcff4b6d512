import {type MessageFacts, withFacts} from '#content/message-facts.ts';
import type {ParseContext} from '#content/parse-context.ts';
import {parseMessage} from '#content/parse-message.ts';
import {plainText} from '#content/plain-text.ts';
import type {MessageToken} from '#content/tokens.ts';
import {LruCache, objectBytes} from '#std/lru-cache.ts';

/** More than any row shows; the rest is not parsed. */
const maxCharacters = 600;
const maxExcerptBytes = 256 * 1024;

interface Excerpt {
  readonly start: string;
  readonly text: string;
}

/** By names, then by the start of the text, or by the facts of a message that has some. */
const excerptsByNames = new WeakMap<ParseContext, LruCache<string | MessageFacts, Excerpt>>();
const noNames: ParseContext = {};

/**
 * Returns a message's text on one line without markup, the content of spoilers left out. `names` resolves mentions; it is
 * the same object while no name changes. `facts` are those of the message.
 */
export function excerpt(content: string, names: ParseContext = noNames, facts?: MessageFacts): string {
  const start = content.slice(0, maxCharacters);
  let excerpts = excerptsByNames.get(names);
  if (excerpts === undefined) {
    excerpts = new LruCache(maxExcerptBytes, ({start, text}) => 3 * objectBytes + start.length + text.length);
    excerptsByNames.set(names, excerpts);
  }
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
