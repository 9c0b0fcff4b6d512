import {renderMessage} from '#content/render/render-message.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import {clockText} from '#content/time-text.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {UiRole} from '#theme/roles.ts';
import type {PaneLine} from '#ui/core/frame.ts';
import {fittedLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {linesWithMargin, type MarginAppearance} from './message-lines.ts';
import type {Typeset} from './typeset.ts';

export interface UnsentAppearance extends MarginAppearance {
  /** Whether sending takes long enough to show a mark. */
  readonly isSlow: boolean;
  readonly isOnline: boolean;
}

interface CachedUnsentLines {
  readonly typeset: Typeset;
  readonly appearance: UnsentAppearance;
  readonly lines: readonly PaneLine[];
}

const cachedLines = new WeakMap<OutboxEntry, CachedUnsentLines>();

/** Returns the lines of an unsent message: dimmed while it is being sent, with the status when it is not. */
export function unsentLines(typeset: Typeset, entry: OutboxEntry, appearance: UnsentAppearance): readonly PaneLine[] {
  const cached = cachedLines.get(entry);
  if (cached !== undefined && cached.typeset === typeset && isSame(cached.appearance, appearance)) return cached.lines;
  const clock = clockText(entry.createdAt, typeset.time);
  const lines = linesWithMargin(
    typeset,
    [...contentLines(typeset, entry, appearance), ...stateLines(typeset, entry, appearance)],
    appearance,
    clock,
  );
  cachedLines.set(entry, {typeset, appearance, lines});
  return lines;
}

function isSame(a: UnsentAppearance, b: UnsentAppearance): boolean {
  return (
    a.mark === b.mark &&
    a.isSlow === b.isSlow &&
    a.isOnline === b.isOnline &&
    a.showsName === b.showsName &&
    a.showsTime === b.showsTime &&
    a.name === b.name
  );
}

function contentLines(typeset: Typeset, entry: OutboxEntry, {name, isSlow}: UnsentAppearance): readonly UiLine[] {
  const {context, options, glyphs, measures} = typeset;
  const {lines} = renderMessage({source: entry.content, senderName: name, isUnsent: true}, context, options);
  if (!isPending(entry)) return lines;
  const pending = lines.map((line) => ({...line, spans: line.spans.map(pendingSpan)}));
  const last = pending.at(-1);
  if (!isSlow || last === undefined) return pending;
  const marked = fittedLine([...last.spans, {text: ` ${glyphs.ellipsis}`, role: 'pending'}], measures.textWidth);
  return [...pending.slice(0, -1), marked];
}

function isPending({status}: OutboxEntry): boolean {
  return status === 'queued' || status === 'sending';
}

function pendingSpan(span: UiSpan): UiSpan {
  return {...span, role: 'pending'};
}

function stateLines(typeset: Typeset, entry: OutboxEntry, appearance: UnsentAppearance): readonly UiLine[] {
  const status = statusSpan(typeset, entry, appearance);
  if (status === undefined) return [];
  return wrapSpans<UiRole>([...fittedLine([status], Number.MAX_SAFE_INTEGER).spans], {
    width: typeset.measures.textWidth,
  });
}

/** Returns the status. The hint line has the keys for the selected message. */
function statusSpan(
  {time}: Typeset,
  {status, problem, createdAt}: OutboxEntry,
  {isOnline}: UnsentAppearance,
): UiSpan | undefined {
  const why = problem === undefined ? '' : `: ${problem}`;
  switch (status) {
    case 'failed':
      return {text: `! not sent${why}`, role: 'failed'};
    case 'unconfirmed':
      return {text: `? possibly not sent${why}`, role: 'failed'};
    case 'held': {
      const when = clockText(createdAt, time);
      return {text: `! not sent automatically, written at ${when}`, role: 'failed'};
    }
    case 'queued':
      return isOnline ? undefined : {text: 'waiting for the connection', role: 'pending'};
    default:
      return undefined;
  }
}
