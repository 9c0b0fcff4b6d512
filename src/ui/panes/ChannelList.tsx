import {memo} from 'react';
import type {Rect} from '#app/layout/layout.ts';
import {listPane} from '#app/lists/list-pane.ts';
import {CachedMessagePane} from '#ui/Pane.tsx';

const lines = listPane('channels');

export const ChannelList = memo(function ChannelList({rect}: {readonly rect: Rect}) {
  return <CachedMessagePane rect={rect} lines={lines} label="Channels" />;
});
