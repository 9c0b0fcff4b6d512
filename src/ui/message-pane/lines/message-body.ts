import {renderMessage} from '#content/render/render-message.ts';
import {imageRowOf, type Line, lineBytes} from '#content/styled-text/line.ts';
import {matchedWords} from '#content/word-finder.ts';
import type {Message} from '#state/model/message.ts';
import {LruCache, objectBytes} from '#std/lru-cache.ts';
import type {BodyOptions, MessageBody} from '#ui/message-pane/message-row.ts';
import type {Typeset} from './typeset.ts';

interface CachedBody {
  readonly typeset: Typeset;
  readonly body: MessageBody;
}

/** The bodies of the messages seen last, some twenty screens full. After a resize they replace those of the old width. */
const bodies = new LruCache<Message, CachedBody>(1024 * 1024, ({body}, {content}) =>
  body.lines.reduce((total, line) => total + lineBytes(line), 8 * objectBytes + content.length),
);

/** Returns the rendered body, cached while the message, the typeset and the options are the same. */
export function messageBody(typeset: Typeset, message: Message, bodyOptions: BodyOptions): MessageBody {
  const cached = cachedBody(typeset, message);
  if (cached !== undefined && isSame(cached, bodyOptions)) return cached;
  const body = newBody(typeset, message, bodyOptions);
  bodies.set(message, {typeset, body});
  return body;
}

/** Returns the body that was rendered last. */
export function cachedBody(typeset: Typeset, message: Message): MessageBody | undefined {
  const cached = bodies.get(message);
  return cached?.typeset === typeset ? cached.body : undefined;
}

function isSame({bodyOptions: before, hasCode}: MessageBody, bodyOptions: BodyOptions): boolean {
  return (
    before.isExpanded === bodyOptions.isExpanded &&
    before.isWhole === bodyOptions.isWhole &&
    before.isHidden === bodyOptions.isHidden &&
    before.isCollapsed === bodyOptions.isCollapsed &&
    before.senderName === bodyOptions.senderName &&
    before.match === bodyOptions.match &&
    before.lead === bodyOptions.lead &&
    (!hasCode || before.highlight === bodyOptions.highlight)
  );
}

/** Renders the body without the cache. */
export function newBody(typeset: Typeset, message: Message, bodyOptions: BodyOptions): MessageBody {
  const empty = {hyperlinks: undefined, bodyOptions, hasCode: false, hasLead: false};
  if (bodyOptions.isHidden) return {...empty, lines: [note(typeset, 'Hidden: from a user you muted (-)')]};
  if (bodyOptions.isCollapsed) return {...empty, lines: [note(typeset, `${typeset.glyphs.ellipsis} collapsed (-)`)]};
  return renderedBody(typeset, message, bodyOptions);
}

function renderedBody(typeset: Typeset, message: Message, bodyOptions: BodyOptions): MessageBody {
  const {context, options, measures} = typeset;
  let hasCode = false;
  const {lines, links, cutNoteLineCount, hasLead} = renderMessage(
    {
      source: message.content,
      senderName: bodyOptions.senderName,
      senderId: message.senderId,
      submessages: message.submessages,
      facts: message.facts,
      lead: bodyOptions.lead,
    },
    context,
    {
      ...options,
      cutHint: '; O opens it in the browser',
      expanded: bodyOptions.isExpanded,
      matches: bodyOptions.match === undefined ? [] : matchedWords(bodyOptions.match),
      highlight: (language, code) => {
        hasCode = true;
        return bodyOptions.highlight?.(language, code);
      },
    },
  );
  const realmUrl = context.realmUrl === undefined ? {} : {realmUrl: context.realmUrl};
  return {
    lines:
      bodyOptions.isExpanded || bodyOptions.isWhole
        ? lines
        : truncated(typeset, lines, measures.maxLines, cutNoteLineCount),
    hyperlinks: links.length === 0 ? undefined : {links, id: `m${message.id}`, ...realmUrl},
    bodyOptions,
    hasCode,
    hasLead,
  };
}

/** Messages are not truncated to save fewer lines than this. */
const minTruncated = 3;

function truncated(typeset: Typeset, lines: readonly Line[], maxLines: number, keptAtEnd: number): readonly Line[] {
  // The first image does not count, so that a screenshot with a few lines of text is shown whole.
  const wanted = maxLines + firstImageRows(lines, maxLines);
  if (lines.length <= wanted + minTruncated + keptAtEnd) return lines;
  const shown = wanted - (imageRowOf(lines[wanted])?.row ?? 0);
  const text = `${typeset.glyphs.ellipsis} ${lines.length - shown - keptAtEnd} more lines (-)`;
  return [...lines.slice(0, shown), note(typeset, text), ...lines.slice(lines.length - keptAtEnd)];
}

/** Returns the rows of the first image; 0 when it begins below the shown lines. */
function firstImageRows(lines: readonly Line[], maxLines: number): number {
  for (let at = 0; at <= maxLines; at++) {
    const image = imageRowOf(lines[at]);
    if (image !== undefined) return image.rows;
  }
  return 0;
}

function note({measures}: Typeset, text: string): Line {
  const shown = text.slice(0, measures.textWidth);
  return {spans: [{text: shown, role: 'note'}], width: shown.length};
}
