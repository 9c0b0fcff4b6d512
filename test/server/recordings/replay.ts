/**
 * Replays the recordings and prints how many requests the server answers as recorded:
 *
 *     node test/server/recordings/replay.ts [AREA] [--show N] [--update]
 *
 * AREA is a part of a name. --show prints N differences of each area: line, request, class and place, recorded, here.
 * --update writes different-lines.json.
 */
import {parseArgs} from 'node:util';
import {differenceText, linesOf, readKnownLines, unexpected, writeKnownLines} from './known-lines.ts';
import {readRecording, recordedAreas} from './recording.ts';
import {type LineDifference, replayRecording} from './replay-recording.ts';

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {show: {type: 'string', default: '0'}, update: {type: 'boolean', default: false}},
});
const columns = ['compared', 'equal', 'expected', 'different', 'not prepared'];
const row = (name: string, cells: readonly (string | number)[]) =>
  console.log(name.padEnd(30) + cells.map((cell) => String(cell).padStart(13)).join(''));

const known = readKnownLines();
const totals = columns.map(() => 0);
row('area', columns);
for (const area of recordedAreas().filter((name) => name.includes(positionals[0] ?? ''))) {
  const {compared, differences} = await replayRecording(readRecording(area));
  const open = unexpected(differences);
  known[area] = linesOf(open);
  const isPrepared = (difference: LineDifference) => difference.class !== 'not_prepared';
  const different = linesOf(open.filter(isPrepared)).length;
  const expected = linesOf(differences.filter(isPrepared)).length - different;
  const unprepared = linesOf(open).length - different;
  const cells = [compared, compared - different - expected, expected, different, unprepared];
  for (const [index, cell] of cells.entries()) totals[index] = (totals[index] ?? 0) + cell;
  row(area, cells);
  for (const difference of open.slice(0, Number(values.show))) console.log(`  ${differenceText(difference)}`);
}
row('total', totals);
if (values.update) writeKnownLines(known);
