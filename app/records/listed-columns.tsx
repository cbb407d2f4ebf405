import type { BusinessNames } from "~/domain/enums";
import type { Column } from "~/ui/DataTable/columns";
import type { RecordColumn } from "./record";

/** Builds the columns of a record's listed fields, whose labels and texts they show. @param businessNames names of the shop's settings */
export const listedColumns = <Row extends object>(
  record: { columns: readonly RecordColumn[] },
  businessNames?: BusinessNames,
): Column<Row>[] =>
  record.columns
    .filter(({ field }) => field.isListed)
    .map(({ column, field }) => ({
      id: column,
      title: field.label,
      isFixed: true,
      isNumber: ["money", "number", "day"].includes(field.control.kind),
      className: "cell-text",
      card: "meta",
      cell: (row) => field.toText(row[column as keyof Row], businessNames) || <NoText />,
    }));

/** Dash of an empty cell; a card shows none. */
const NoText = () => <span className="wide-only">–</span>;
