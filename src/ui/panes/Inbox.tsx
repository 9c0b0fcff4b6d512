import {memo} from 'react';
import {inboxLines} from '#app/inbox/pane/inbox-pane.ts';
import type {Rect} from '#app/layout/layout.ts';
import {CachedMessagePane} from '#ui/Pane.tsx';

export const Inbox = memo(function Inbox({rect}: {readonly rect: Rect}) {
  return <CachedMessagePane rect={rect} lines={inboxLines} label="Inbox" />;
});
