import {emojiText, type ShownEmoji} from '#content/emoji-text.ts';
import type {Message, Reaction} from '#state/model/message.ts';
import {fittedLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {normalizedReactionType} from '#wire/objects/message.ts';
import type {Typeset} from './typeset.ts';

export interface ReactionCount {
  /** The first reaction with this emoji; its name is shown. */
  readonly reaction: Reaction;
  readonly userIds: readonly number[];
}

/** Groups reactions by emoji, in the order in which they were first added. */
export function reactionCounts({reactions}: Pick<Message, 'reactions'>): readonly ReactionCount[] {
  if (reactions.length === 0) return [];
  const counts = new Map<string, {reaction: Reaction; userIds: number[]}>();
  for (const reaction of reactions) {
    const key = `${normalizedReactionType(reaction.reactionType)} ${reaction.emojiCode}`;
    const count = counts.get(key);
    if (count === undefined) counts.set(key, {reaction, userIds: [reaction.userId]});
    else count.userIds.push(reaction.userId);
  }
  return [...counts.values()];
}

export function shownEmoji({emojiName, emojiCode, reactionType}: Reaction): ShownEmoji {
  const kind = normalizedReactionType(reactionType);
  if (kind === 'unicode_emoji') return {kind: 'unicode', name: emojiName, code: emojiCode};
  return {kind: kind === 'realm_emoji' ? 'custom' : 'extra', name: emojiName};
}

/** With more reactions on a message than this, they are counted instead of named. */
const maxNamed = 3;

/** The parts behind a message's text: edited mark, star, reactions. A part is never wrapped. */
export function trailingParts(
  {context, options, measures, glyphs, reactorNames}: Typeset,
  message: Message,
  {isStarred, time}: {readonly isStarred: boolean; readonly time: string | undefined},
): readonly UiSpan[] {
  const parts: UiSpan[] = [];
  if (time !== undefined) parts.push({text: time, role: 'time_stamp'});
  if (message.editedAt !== undefined) parts.push({text: '(edited)', role: 'edited'});
  else if (message.movedAt !== undefined) parts.push({text: '(moved)', role: 'edited'});
  if (isStarred) parts.push({text: glyphs.star, role: 'star'});
  const emoji = {...options.emoji, ascii: options.glyphs?.isAscii === true};
  const namesOf = message.reactions.length <= maxNamed ? reactorNames : undefined;
  const gap = measures.form === 'narrow' ? '' : ' ';
  for (const {reaction, userIds} of reactionCounts(message)) {
    const sign = emojiText(shownEmoji(reaction), emoji);
    const isOwn = context.selfId !== undefined && userIds.includes(context.selfId);
    const spanOf = (text: string): UiSpan =>
      isOwn ? {text: `[${text}]`, role: 'reaction_own'} : {text, role: 'reaction'};
    const named = namesOf === undefined ? undefined : spanOf(`${sign} ${namesOf(userIds)}`);
    // Names that would be cut are counted as well.
    const fits = named !== undefined && fittedLine([named], Number.MAX_SAFE_INTEGER).width <= measures.textWidth;
    parts.push(fits ? named : spanOf(`${sign}${gap}${userIds.length}`));
  }
  return parts;
}

const gapSpan: UiSpan = {text: '  ', role: 'text'};

/** Puts the parts side by side on as many lines as they need. */
export function partLines(parts: readonly UiSpan[], width: number): readonly UiLine[] {
  const lines: UiLine[] = [];
  let line: UiLine | undefined;
  for (const part of parts) {
    const one = fittedLine([part], width);
    const needed: number = line === undefined ? one.width : line.width + gapSpan.text.length + one.width;
    if (line !== undefined && needed <= width) {
      line = {spans: [...line.spans, gapSpan, ...one.spans], width: needed};
    } else {
      if (line !== undefined) lines.push(line);
      line = one;
    }
  }
  return line === undefined ? lines : [...lines, line];
}
