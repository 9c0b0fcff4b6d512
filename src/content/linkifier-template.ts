import {parseTemplate} from 'url-template';

export type TemplateVariables = Readonly<Record<string, string>>;

type TemplatePart =
  | string
  | {readonly name: string | undefined; readonly expand: (variables: TemplateVariables) => string};

const parts = /\{([^{}]+)\}|[^{}]+|[{}]/g;
const onlyName = /^[\w.%]+$/;
/** Values whose characters need no encoding anywhere in a URL. */
const unreserved = /^[\w.~-]+$/;

/**
 * Returns a function that expands an RFC 6570 template. The library parses a template at each expansion; here it is split
 * once, and the most common part, a single name with a value that needs no encoding, is expanded without the library.
 */
export function compileUrlTemplate(template: string): (variables: TemplateVariables) => string {
  const templateParts = Array.from(template.matchAll(parts), ([text, expression]): TemplatePart => {
    if (expression === undefined) return parseTemplate(text).expand({});
    return {name: onlyName.test(expression) ? expression : undefined, expand: expander(text)};
  });
  return (variables) => {
    let url = '';
    for (const part of templateParts) {
      if (typeof part === 'string') url += part;
      else {
        const value = part.name === undefined ? undefined : variables[part.name];
        url += value !== undefined && unreserved.test(value) ? value : part.expand(variables);
      }
    }
    return url;
  };
}

/** Expands one expression. A lone surrogate cannot be encoded, and `{name:3}` splits pairs: then U+FFFD replaces them. */
function expander(expression: string): (variables: TemplateVariables) => string {
  const template = parseTemplate(expression);
  return (variables) => {
    try {
      return template.expand({...variables});
    } catch {
      const replaced = Object.entries(variables).map(([name, value]) => [
        name,
        value.replace(/[\ud800-\udfff]+/g, '\ufffd'),
      ]);
      return template.expand(Object.fromEntries(replaced));
    }
  };
}
