import {memo} from 'react';
import type {Rect} from '#app/layout/layout.ts';
import {listPane} from '#app/lists/list-pane.ts';
import {Pane} from '#ui/Pane.tsx';

const lines = listPane('browser');

export const ChannelBrowser = memo(function ChannelBrowser({rect}: {readonly rect: Rect}) {
  return <Pane rect={rect} lines={lines} label="All channels" />;
});
