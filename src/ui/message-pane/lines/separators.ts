import {dayText} from '#content/time-text.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {
  channelName,
  conversationRowTitle,
  conversationTitle,
  isResolved,
  topicDisplayName,
} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import type {UiRole} from '#theme/roles.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import {conversationColor} from '#ui/format/channel-color.ts';
import {leftRightLine, rule, type UiSpan} from '#ui/layout/ui-line.ts';
import type {Typeset} from './typeset.ts';

/** Returns a labelled rule across the pane; the same object for the same text. */
export function labelledRule(typeset: Typeset, text: string, role: UiRole): PaneLine {
  return typeset.rules.getOrCompute(`${role} ${text}`, () => {
    const {columns} = typeset.measures;
    const {rule: glyph, ellipsis} = typeset.glyphs;
    return rule(columns, {label: [{text, role}], role, glyph, ellipsis});
  });
}

export function dateLine(typeset: Typeset, atMs: number): PaneLine {
  return labelledRule(typeset, dayText(atMs, typeset.time), 'date_separator');
}

export function unreadLine(typeset: Typeset, count: number): PaneLine {
  return labelledRule(typeset, count > 0 ? `${count} unread` : 'unread', 'unread_separator');
}

/** The `#channel › topic` heading above each stretch of messages of one conversation. */
export function recipientLine(typeset: Typeset, account: AccountState, conversation: Conversation): PaneLine {
  const {glyphs, measures} = typeset;
  const title = conversationTitle(account, conversation);
  const color = conversationColor(account, conversation);
  return typeset.rules.getOrCompute(`to ${color} ${title}`, () => {
    return leftRightLine(recipientSpans(account, conversation, glyphs, color), [], measures.columns, {
      ellipsis: glyphs.ellipsis,
    });
  });
}

function recipientSpans(
  account: AccountState,
  conversation: Conversation,
  glyphs: Typeset['glyphs'],
  color: string | undefined,
): readonly UiSpan[] {
  if (conversation.kind === 'direct') {
    return [
      {text: 'Direct ', role: 'dim'},
      {text: conversationRowTitle(account, conversation), role: 'topic', bold: true},
    ];
  }
  const {channelId, topic} = conversation;
  const resolved: UiSpan[] = isResolved(topic) ? [{text: ` ${glyphs.check}`, role: 'resolved'}] : [];
  return [
    {text: `#${channelName(account, channelId)}`, role: 'channel', bold: true, tint: color},
    {text: ` ${glyphs.into} `, role: 'dim'},
    {text: topicDisplayName(account, topic), role: 'topic', bold: true},
    ...resolved,
  ];
}
