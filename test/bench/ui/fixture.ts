/** A small full-screen Ink program for checking the measurement: generated lists, messages and an input line. */
import {Box, render, Text, useInput} from 'ink';
import {createElement as h, useState} from 'react';
import {enableCompileCache} from '#build/compile-cache.js';

enableCompileCache();

const messages = Array.from({length: 10_000}, (_, at) => `${at} message about something that somebody said`);
const {columns = 80, rows = 24} = process.stdout;
const height = rows - 2;

interface State {
  readonly selected: number;
  readonly top: number;
  readonly topic: number;
  readonly isWriting: boolean;
  readonly text: string;
}

const start: State = {selected: 0, top: messages.length - height, topic: 0, isWriting: false, text: ''};

function App() {
  const [state, setState] = useState(start);
  useInput((input, key) => {
    for (const character of input === '' ? [''] : input) setState((now) => next(now, character, key));
  });
  const list = Array.from({length: height}, (_, row) => {
    const isSelected = state.selected % height === row;
    return h(Text, {key: row, inverse: isSelected, wrap: 'truncate'}, `${isSelected ? '▌' : ' '}topic ${row}`);
  });
  const shown = messages.slice(state.top, state.top + height).map((text) => `topic-${state.topic} ${text}`);
  return h(
    Box,
    {width: columns, height: rows, flexDirection: 'column'},
    h(Text, {key: 'header', bold: true}, 'Fixture · topic-', String(state.topic)),
    h(
      Box,
      {key: 'body', height},
      h(Box, {key: 'list', width: 20, flexDirection: 'column'}, ...list),
      h(Text, {key: 'pane', wrap: 'truncate'}, shown.join('\n')),
    ),
    h(Text, {key: 'line', wrap: 'truncate-start'}, state.isWriting ? `> ${state.text}` : 'ready'),
  );
}

function next(state: State, character: string, key: {readonly ctrl: boolean; readonly escape: boolean}): State {
  if (key.escape) return {...state, isWriting: false, text: ''};
  if (state.isWriting) return {...state, text: `${state.text}${character}`.slice(-columns)};
  switch (character) {
    case 'j':
      return {...state, selected: state.selected + 1};
    case 'y':
      return {...state, top: Math.max(0, state.top - 1)};
    case 'K':
      return {...state, top: Math.max(0, state.top - height)};
    case 'G':
      return {...state, top: messages.length - height};
    case ']':
      return {...state, topic: state.topic + 1};
    case 'r':
      return {...state, isWriting: true};
    default:
      return state;
  }
}

render(h(App), {alternateScreen: true, incrementalRendering: true, maxFps: 120, exitOnCtrlC: true});
