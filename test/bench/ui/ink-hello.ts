/** The smallest program with Ink: the lower bound of a start. */
import nodeModule from 'node:module';
import {render, Text} from 'ink';
import {createElement} from 'react';

nodeModule.enableCompileCache();
render(createElement(Text, {color: 'green'}, 'Hello, world'));
// Runs until it is ended, as a screen does.
setInterval(() => {}, 60_000);
