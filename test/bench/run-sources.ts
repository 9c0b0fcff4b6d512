/**
 * node test/bench/run-sources.ts [DESTINATION]
 *
 * Opens the screen from the sources, file by file, where the program would build a bundle.
 */

import './tsx-hook.ts';

const [{openScreen}, {processIo}] = await Promise.all([import('#cli/screen/open-screen.tsx'), import('#cli/io.ts')]);
const [destination] = process.argv.slice(2);
const none = {isTriage: false, isExploring: false, isReadOnly: false, theme: undefined, color: undefined};
process.exitCode = await openScreen({destination, isAlternate: true, ...none}, processIo());
