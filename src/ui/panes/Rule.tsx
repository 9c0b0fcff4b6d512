import {memo} from 'react';
import type {Frame} from '#app/core/frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import type {Rect} from '#app/layout/layout.ts';
import {Pane} from '#ui/Pane.tsx';

const lines = {
  unicode: {spans: [{text: '│', role: 'separator'}], width: 1},
  ascii: {spans: [{text: '|', role: 'separator'}], width: 1},
} as const satisfies Record<string, PaneLine>;

function ruleLines({looks}: Frame, {rows}: Rect): readonly PaneLine[] {
  return Array.from({length: rows}, () => lines[looks.glyphs]);
}

/** Between two panes. */
export const Rule = memo(function Rule({rect}: {readonly rect: Rect}) {
  return <Pane rect={rect} lines={ruleLines} label="" />;
});
