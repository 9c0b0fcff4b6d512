import {parseFenceOpener} from './fence.ts';
import {codeSpans} from './parse-inline.ts';

const listItem = /^ {0,3}(?:[*+-]|\d+\.)\s/;
const indented = /^(?: {4}|\t)/;

/** Returns a message's text with the parts changed that are not code: neither fenced nor indented nor in a code span. */
export function changeOutsideCode(text: string, change: (part: string) => string): string {
  const out: string[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0) out.push(changeOutsideSpans(paragraph.join('\n'), change));
    paragraph = [];
  };
  const fences: {readonly fence: string; readonly isCode: boolean}[] = [];
  let isAfterBlank = true;
  let isInList = false;
  for (const line of text.split('\n')) {
    const top = fences.at(-1);
    const closes = top !== undefined && line.trimEnd() === top.fence;
    const opened = closes || top?.isCode === true ? undefined : parseFenceOpener(line);
    const isBlank = line.trim() === '';
    if (isAfterBlank && !isBlank && !indented.test(line)) isInList = listItem.test(line);
    else isInList ||= listItem.test(line);
    const isIndented: boolean = isAfterBlank && !isInList && indented.test(line);
    if (closes) fences.pop();
    if (opened !== undefined)
      fences.push({fence: opened.fence, isCode: !/^(?:quoted?|spoiler)$/i.test(opened.language ?? '')});
    const isCode =
      closes || top?.isCode === true || isIndented || (opened !== undefined && fences.at(-1)?.isCode === true);
    if (!isCode && !isBlank && opened === undefined) paragraph.push(line);
    else {
      endParagraph();
      // The opening line of a spoiler has its heading.
      out.push(isCode ? line : changeOutsideSpans(line, change));
    }
    isAfterBlank = isBlank || isIndented || closes || opened !== undefined;
  }
  endParagraph();
  return out.join('\n');
}

function changeOutsideSpans(text: string, change: (part: string) => string): string {
  let out = '';
  let last = 0;
  for (const {start, end, close} of codeSpans(text)) {
    const after = close + (end - start);
    out += change(text.slice(last, start)) + text.slice(start, after);
    last = after;
  }
  return out + change(text.slice(last));
}
