import {markUnread} from '#ui/actions/mark-unread.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {focusedList} from '#ui/lists/focused-list.ts';
import {openDatePicker} from '#ui/message-pane/go-to-date.ts';
import {goToFirstUnread, openMessageLinkPicker} from '#ui/message-pane/go-to-message.ts';
import {pageOrOpenNext} from '#ui/message-pane/page-or-open-next.ts';
import {selectedMessage} from '#ui/message-pane/selection.ts';
import type {Command} from './command.ts';

const noMessageView = (app: AppReader) =>
  app.screen.view.kind === 'messages' ? undefined : 'Open a conversation first';

/** Commands that move through messages and mark them unread. */
export const messageNavigationCommands: readonly Command[] = [
  {
    id: 'read.on',
    title: 'Page down; at the end, next unread conversation',
    aliases: ['read on', 'next page'],
    contexts: ['msgs'],
    hint: 'read on',
    hints: {msgs: 2},
    run: pageOrOpenNext,
  },
  {
    id: 'mark.unread',
    title: 'Mark unread from here',
    aliases: ['mark as unread', 'keep unread'],
    contexts: ['nav'],
    messageMenu: {group: 'react', position: 6},
    isAboutRow: true,
    disabledReason: (app) => {
      if (app.info.isReadOnly || app.info.isExploring) return 'Nothing is marked unread in this session';
      if (focusedList(app.screen) !== undefined || selectedMessage(app) !== undefined) return undefined;
      return 'No message is selected';
    },
    run: markUnread,
  },
  {
    id: 'go.unread',
    title: 'Go to the first unread message',
    aliases: ['jump to unread'],
    contexts: ['msgs'],
    disabledReason: noMessageView,
    run: goToFirstUnread,
  },
  {
    id: 'view.date',
    title: 'Go to a date',
    aliases: ['day', 'calendar', 'jump to date', 'time'],
    contexts: ['nav'],
    run: openDatePicker,
  },
  {
    id: 'go.link',
    title: 'Go to message link',
    aliases: ['permalink', 'paste link', 'url'],
    contexts: ['nav'],
    run: openMessageLinkPicker,
  },
];
