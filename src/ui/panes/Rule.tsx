import {memo} from 'react';
import type {Frame} from '#app/core/frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import type {Rect} from '#app/layout/layout.ts';
import {CachedMessagePane} from '#ui/Pane.tsx';

const lines = {
  unicode: {spans: [{text: '│', role: 'separator'}], width: 1},
  ascii: {spans: [{text: '|', role: 'separator'}], width: 1},
} as const satisfies Record<string, PaneLine>;

function ruleLines({display: looks}: Frame, {rows}: Rect): readonly PaneLine[] {
  return Array.from({length: rows}, () => lines[looks.glyphs]);
}

/** Between two panes. */
export const Rule = memo(function Rule({rect}: {readonly rect: Rect}) {
  return <CachedMessagePane rect={rect} lines={ruleLines} label="" />;
});
