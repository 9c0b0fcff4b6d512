/** The smallest program with Ink: the lower bound of a start. */
import {render, Text} from 'ink';
import {createElement} from 'react';
import {enableCompileCache} from '#build/compile-cache.js';

enableCompileCache();
render(createElement(Text, {color: 'green'}, 'Hello, world'));
// Runs until it is ended, as a screen does.
setInterval(() => {}, 60_000);
