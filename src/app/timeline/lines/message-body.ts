import type {BodyOptions, MessageBody} from '#app/timeline/message-row.ts';
import {renderMessage} from '#content/render/render-message.ts';
import type {Line} from '#content/styled-text/line.ts';
import {matchedWords} from '#content/word-finder.ts';
import type {Message} from '#state/model/message.ts';
import type {Typeset} from './typeset.ts';

/** Returns the rendered body, cached while the message and the options are the same. */
export function messageBody(typeset: Typeset, message: Message, bodyOptions: BodyOptions): MessageBody {
  const cached = typeset.bodies.get(message);
  if (cached !== undefined && isSame(cached, bodyOptions)) return cached;
  const body = newBody(typeset, message, bodyOptions);
  typeset.bodies.set(message, body);
  return body;
}

function isSame({bodyOptions: before, hasCode}: MessageBody, bodyOptions: BodyOptions): boolean {
  return (
    before.isExpanded === bodyOptions.isExpanded &&
    before.isWhole === bodyOptions.isWhole &&
    before.isHidden === bodyOptions.isHidden &&
    before.isCollapsed === bodyOptions.isCollapsed &&
    before.senderName === bodyOptions.senderName &&
    before.match === bodyOptions.match &&
    (!hasCode || before.highlight === bodyOptions.highlight)
  );
}

function newBody(typeset: Typeset, message: Message, bodyOptions: BodyOptions): MessageBody {
  const empty = {hyperlinks: undefined, bodyOptions, hasCode: false};
  if (bodyOptions.isHidden) return {...empty, lines: [note(typeset, 'Hidden: from a user you muted (-)')]};
  if (bodyOptions.isCollapsed) return {...empty, lines: [note(typeset, `${typeset.glyphs.ellipsis} collapsed (-)`)]};
  return renderedBody(typeset, message, bodyOptions);
}

function renderedBody(typeset: Typeset, message: Message, bodyOptions: BodyOptions): MessageBody {
  const {context, options, measures} = typeset;
  let hasCode = false;
  const {lines, links} = renderMessage(
    {
      source: message.content,
      senderName: bodyOptions.senderName,
      senderId: message.senderId,
      submessages: message.submessages,
      facts: message.facts,
    },
    context,
    {
      ...options,
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
    lines: bodyOptions.isExpanded || bodyOptions.isWhole ? lines : truncated(typeset, lines, measures.maxLines),
    hyperlinks: links.length === 0 ? undefined : {links, id: `m${message.id}`, ...realmUrl},
    bodyOptions,
    hasCode,
  };
}

/** Messages are not truncated to save fewer lines than this. */
const minTruncated = 3;

function truncated(typeset: Typeset, lines: readonly Line[], maxLines: number): readonly Line[] {
  if (lines.length <= maxLines + minTruncated) return lines;
  const text = `${typeset.glyphs.ellipsis} ${lines.length - maxLines} more lines (-)`;
  return [...lines.slice(0, maxLines), note(typeset, text)];
}

function note({measures}: Typeset, text: string): Line {
  const shown = text.slice(0, measures.textWidth);
  return {spans: [{text: shown, role: 'note'}], width: shown.length};
}
