import { dumps, tryLoads } from '../../core/python-json.ts';
import { items, member, toPython } from '../encoders/json-value.ts';
import { structuralTagFormat } from '../../protocol/structural-tag.ts';
import type { StructuredOutputs } from '../../protocol/structured-outputs.ts';
import { grammar, jsonSchema, regex, tag } from './formats.ts';
import type { Format } from './formats.ts';

/** The format that an answer has which follows the constraint; null where the constraint has no such form. */
export function constraintFormat(constraint: StructuredOutputs): Format | null {
  if (constraint.json_object) return jsonSchema({ type: 'object' });
  if (constraint.json !== null) {
    const schema = typeof constraint.json === 'string' ? tryLoads(constraint.json) : constraint.json;
    return schema === undefined ? null : jsonSchema(schema);
  }
  if (constraint.regex !== null) return regex(constraint.regex);
  if (constraint.choice !== null)
    return { type: 'or', elements: constraint.choice.map((choice) => ({ type: 'const_string', value: choice })) };
  if (constraint.grammar !== null) return grammar(constraint.grammar);
  if (constraint.structural_tag === null) return null;
  const given = tryLoads(constraint.structural_tag);
  const structures = member(given, 'structures');
  if (structures === undefined) return given instanceof Map ? (structuralTagFormat(given) as Format | null) : null;
  const tags = items(structures).map((structure) => {
    return tag(String(member(structure, 'begin')), jsonSchema(member(structure, 'schema')), String(member(structure, 'end')));
  });
  const triggers = items(member(given, 'triggers'));
  return { type: 'triggered_tags', triggers, tags, at_least_one: false, stop_after_first: false, excludes: [] };
}

/** The text of a structural tag, as engines get it. */
export function structuralTagText(format: Format): string {
  return dumps(toPython({ type: 'structural_tag', format }), { ensureAscii: true });
}
