import fc from 'fast-check';
import {expect, test} from 'vitest';
import {renderMessage} from '#content/render/render-message.ts';
import {ansiLine} from '#content/styled-text/ansi.ts';
import {modernTerminal, writeToTerminal} from '#test/support/terminal/modern-terminal.ts';
import {themes} from '#theme/themes.ts';
import {hostileMarkdown} from './hostile-markdown.ts';
import {renderContext} from './render-context-fixture.ts';

const look = themes.dark.styleSheet('true');
const [left, pane, right, rows] = [8, 20, 8, 24];

/** A screen full of neighbours with a pane between them. */
async function screen() {
  const terminal = modernTerminal(left + pane + right, rows);
  const heard: string[] = [];
  terminal.onTitleChange((title) => heard.push(`title ${title}`));
  terminal.onBell(() => heard.push('bell'));
  terminal.onData((data) => heard.push(`answer ${JSON.stringify(data)}`));
  for (const number of [0, 1, 2, 4, 7, 9, 10, 11, 12, 52, 104, 110, 133, 777, 1337]) {
    terminal.parser.registerOscHandler(number, (data) => {
      heard.push(`osc ${number} ${data}`);
      return true;
    });
  }
  await writeToTerminal(
    terminal,
    `\u001b[?7l${Array.from({length: rows}, (_, y) => `\u001b[${y + 1};1H${'N'.repeat(left)}${' '.repeat(pane)}${'N'.repeat(right)}`).join('')}`,
  );
  return {terminal, heard};
}

test('no message changes the title, the clipboard, the cursor outside its pane or a neighbour', async () => {
  await fc.assert(
    fc.asyncProperty(hostileMarkdown, async (source) => {
      const {terminal, heard} = await screen();
      const {lines, links} = renderMessage({source, senderName: source}, renderContext, {
        width: pane,
        expanded: true,
      });
      const shown = lines.slice(0, rows);
      const hyperlinks = {links, realmUrl: 'https://chat.example.com', id: 'm'};
      for (const [y, line] of shown.entries()) {
        await writeToTerminal(terminal, `\u001b[${y + 1};${left + 1}H${ansiLine(line, look, hyperlinks)}`);
        const {cursorX, cursorY} = terminal.buffer.active;
        expect(cursorY).toBe(y);
        expect(cursorX).toBeLessThanOrEqual(left + line.width);
      }
      for (let y = 0; y < rows; y++) {
        const row = terminal.buffer.active.getLine(y);
        expect(row?.translateToString(false, 0, left)).toBe('N'.repeat(left));
        expect(row?.translateToString(false, left + pane)).toBe('N'.repeat(right));
      }
      // Whatever is written next looks as if nothing had been there.
      await writeToTerminal(terminal, '\u001b[1;1HN');
      const cell = terminal.buffer.active.getLine(0)?.getCell(0);
      expect([cell?.isAttributeDefault(), heard]).toEqual([true, []]);
      terminal.dispose();
    }),
    {numRuns: 150, seed: 1},
  );
});
