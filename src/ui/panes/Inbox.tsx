import {memo} from 'react';
import {inboxLines} from '#app/inbox/inbox-pane.ts';
import type {Rect} from '#app/layout.ts';
import {Pane} from '#ui/Pane.tsx';

export const Inbox = memo(function Inbox({rect}: {readonly rect: Rect}) {
  return <Pane rect={rect} lines={inboxLines} label="Inbox" />;
});
