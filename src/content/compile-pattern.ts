import {RE2JS} from 're2js';
import {errorText} from '#std/error-text.ts';

const maxLength = 1000;
/** The time of a search is the length of the text times this. */
const maxInstructions = 500;

/** Compiles a regular expression (RE2) of the user to a test of texts; returns why it cannot be used. */
export function compilePattern(pattern: string): ((text: string) => boolean) | {readonly problem: string} {
  if (pattern.length > maxLength) return {problem: `the regular expression has more than ${maxLength} characters.`};
  try {
    const compiled = RE2JS.compile(pattern);
    if (compiled.programSize() > maxInstructions) return {problem: 'the regular expression repeats too much.'};
    return (text) => compiled.matcher(text).find();
  } catch (error) {
    const reason = errorText(error).replace(/^error parsing regexp: /, '');
    return {problem: `the regular expression is not valid: ${reason}.`};
  }
}
