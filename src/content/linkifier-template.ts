import {parseTemplate} from 'url-template';

export type TemplateVariables = Readonly<Record<string, string>>;

type TemplatePart =
  | string
  | {readonly name: string | undefined; readonly expand: (variables: TemplateVariables) => string};

const parts = /\{([^{}]+)\}|[^{}]+|[{}]/g;
const onlyName = /^[\w.%]+$/;
/** Characters that stand for themselves in any place of a URL. */
const unreserved = /^[\w.~-]+$/;

/**
 * What makes URLs of an RFC 6570 template. The library reads a template anew each time; here it is taken apart once, and
 * what is most common, a name alone with a value that needs no encoding, does not ask the library at all.
 */
export function compileUrlTemplate(template: string): (variables: TemplateVariables) => string {
  const read = Array.from(template.matchAll(parts), ([text, expression]): TemplatePart => {
    if (expression === undefined) return parseTemplate(text).expand({});
    return {name: onlyName.test(expression) ? expression : undefined, expand: expander(text)};
  });
  return (variables) => {
    let url = '';
    for (const part of read) {
      if (typeof part === 'string') url += part;
      else {
        const value = part.name === undefined ? undefined : variables[part.name];
        url += value !== undefined && unreserved.test(value) ? value : part.expand(variables);
      }
    }
    return url;
  };
}

/** Half a surrogate pair cannot be encoded, and `{name:3}` cuts pairs in half: then their characters are replaced. */
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
