import { describe, expect, it } from "vitest";
import { NEW_CUSTOMER } from "./limits";
import { fillPlaceholders } from "./placeholders";

const VALUES = { name: "Ines", product: "Brass desk lamp", pickup: "at 14 King Street" };

describe("placeholders of responses", () => {
  it("take the values of the conversation, each time they stand", () => {
    expect(fillPlaceholders("Hi {name}, {product} is ready {pickup}. Bye {name}.", VALUES)).toBe(
      "Hi Ines, Brass desk lamp is ready at 14 King Street. Bye Ines.",
    );
  });

  it("read well when a value is unknown", () => {
    const unknown = { name: NEW_CUSTOMER, product: "", pickup: "" };
    expect(fillPlaceholders("Hi {name}, {product} is ready {pickup}.", unknown)).toBe(
      "Hi there, your order is ready at the counter.",
    );
  });

  it("leave other braces and the inserted values as they are", () => {
    const values = { ...VALUES, name: "{product} $& $1" };
    expect(fillPlaceholders("{Name} {} {x} {name}", values)).toBe("{Name} {} {x} {product} $& $1");
  });
});
