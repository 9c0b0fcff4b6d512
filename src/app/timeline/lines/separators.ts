import type {PaneLine} from '#app/core/pane-line.ts';
import {leftRightLine, rule, type UiSpan} from '#app/layout/ui-line.ts';
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
import type {Typeset} from './typeset.ts';

/** A line across the pane that says something; the same one for the same words. */
export function labelledRule(typeset: Typeset, text: string, role: UiRole): PaneLine {
  return cachedRule(typeset, `${role} ${text}`, () => {
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

/** `#channel › topic` above the first message of each stretch of one conversation. */
export function recipientLine(typeset: Typeset, account: AccountState, conversation: Conversation): PaneLine {
  const {glyphs: signs, measures} = typeset;
  const title = conversationTitle(account, conversation);
  return cachedRule(typeset, `to ${title}`, () => {
    return leftRightLine(recipientSpans(account, conversation, signs), [], measures.columns, {
      ellipsis: signs.ellipsis,
    });
  });
}

function recipientSpans(
  account: AccountState,
  conversation: Conversation,
  signs: Typeset['glyphs'],
): readonly UiSpan[] {
  if (conversation.kind === 'direct') {
    return [
      {text: 'Direct ', role: 'dim'},
      {text: conversationRowTitle(account, conversation), role: 'topic', bold: true},
    ];
  }
  const {channelId, topic} = conversation;
  const resolved: UiSpan[] = isResolved(topic) ? [{text: ` ${signs.check}`, role: 'resolved'}] : [];
  return [
    {text: `#${channelName(account, channelId)}`, role: 'channel', bold: true},
    {text: ` ${signs.into} `, role: 'dim'},
    {text: topicDisplayName(account, topic), role: 'topic', bold: true},
    ...resolved,
  ];
}

const mostRules = 500;

function cachedRule({rules}: Typeset, key: string, make: () => PaneLine): PaneLine {
  let line = rules.get(key);
  if (line === undefined) {
    if (rules.size >= mostRules) rules.clear();
    line = make();
    rules.set(key, line);
  }
  return line;
}
