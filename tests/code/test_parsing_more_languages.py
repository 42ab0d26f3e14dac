"""What stands in a file of further languages, seen by one sample of each."""

from tests.code.outlines import borders, outline, sample


def test_c() -> None:
    """C declares these, and is cut between them."""
    parsed = sample(
        """
        /* Eggs. */
        #include <stdio.h>
        #include "egg.h"

        #define LIMIT 10
        #define MAX(a, b) \\
            ((a) > (b) ? (a) : (b))

        typedef struct basket {
            int size;
        } basket_t;

        /* Colours. */
        enum color { RED, GREEN };

        typedef int (*compare)(int, int);

        static int count = 0;

        int add(basket_t *b, egg_t e);

        /* Adds. */
        int
        add(basket_t *b, egg_t e)
        {
            return take(b->size, e);
        }

        char *name(void) {
            return NULL;
        }
        """,
        "c",
    )

    assert outline(parsed) == [
        "5-5 macro LIMIT",
        "6-7 macro MAX",
        "9-11 type basket_t",
        "13-14 enum color, documented",
        "16-16 type compare",
        "18-18 constant count",
        "20-20 function add",
        "22-27 function add, documented",
        "29-31 function name",
    ]
    assert borders(parsed) == [
        "1-4 head",
        "5-28 declarations",
        "29-31 declarations",
    ]


def test_cpp() -> None:
    """C++ declares these, and is cut between them."""
    parsed = sample(
        """
        #include "egg.h"
        using std::string;

        namespace shop {

        /// Holds eggs.
        template <typename T>
        class Basket : public Container<T>, private ns::Holder {
         public:
          Basket(int size);
          ~Basket();
          /// Adds.
          void add(const Egg& egg) { eggs.push_back(egg); }
          virtual int size() const = 0;
          int size_;
        };

        struct Point : Base { int x; };

        // Adds.
        void Basket::remove(Egg egg) {
          ns::drop(egg);
          auto e = new Egg();
        }

        std::string& Basket::name() { return name_; }
        Egg* make() { return nullptr; }

        using Id = int;

        }  // namespace shop
        """,
        "cpp",
    )

    assert outline(parsed) == [
        "4-31 namespace shop",
        "6-16 class shop.Basket, extends Container ns::Holder, documented",
        "10-10 method shop.Basket.Basket",
        "11-11 method shop.Basket.~Basket",
        "12-13 method shop.Basket.add, documented",
        "14-14 method shop.Basket.size",
        "18-18 struct shop.Point, extends Base",
        "20-24 method shop.Basket.remove, documented",
        "26-26 method shop.Basket.name",
        "27-27 function shop.make",
        "29-29 type shop.Id",
    ]
    assert borders(parsed) == [
        "1-3 head",
        "4-31 declarations",
    ]


def test_csharp() -> None:
    """C# declares these, and is cut between them."""
    parsed = sample(
        """
        // Eggs.
        using System;
        using System.Collections.Generic;

        namespace Shop
        {
            /// <summary>Holds eggs.</summary>
            [Serializable]
            public class Basket<T> : Container<T>, IHolder, Ns.IOther
            {
                private int size;

                /// <summary>Makes one.</summary>
                public Basket(int size) { this.size = size; }

                public int Size { get; set; }

                [Obsolete]
                public Egg Take(Egg egg)
                {
                    list.Add(new Egg(egg));
                    Check<int>(egg);
                    return egg;
                }
            }

            public interface IHolder : INamed { void Hold(); }
            public enum Color { Red }
            public record Point(int X) : Shape;
            public struct S : IThing { }
        }
        """,
        "csharp",
    )

    assert outline(parsed) == [
        "5-31 namespace Shop",
        "7-25 class Shop.Basket, extends Container, implements IHolder Ns.IOther, documented",
        "13-14 constructor Shop.Basket.Basket, documented",
        "16-16 property Shop.Basket.Size",
        "18-24 method Shop.Basket.Take",
        "27-27 interface Shop.IHolder, extends INamed",
        "27-27 method Shop.IHolder.Hold",
        "28-28 enum Shop.Color",
        "29-29 record Shop.Point, extends Shape",
        "30-30 struct Shop.S, implements IThing",
    ]
    assert borders(parsed) == [
        "1-4 head",
        "5-31 declarations",
    ]


def test_ruby() -> None:
    """Ruby declares these, and is cut between them."""
    parsed = sample(
        """
        # frozen_string_literal: true

        require "json"
        require_relative "shop/base"

        LIMIT = 10

        # Sells.
        module Shop
          # Holds eggs.
          class Basket < Shop::Container
            include Enumerable
            attr_reader :eggs

            # Adds.
            def add(egg)
              @eggs << Egg.new(egg)
              save
            end

            def self.build
              new
            end
          end
        end

        describe "x" do
        end
        """,
        "ruby",
    )

    assert outline(parsed) == [
        "6-6 constant LIMIT",
        "8-25 module Shop, documented",
        "10-24 class Shop.Basket, extends Shop::Container, implements Enumerable, documented",
        "15-19 method Shop.Basket.add, documented",
        "21-23 method Shop.Basket.build",
    ]
    assert borders(parsed) == [
        "1-5 head",
        "6-28 declarations",
    ]


def test_php() -> None:
    """PHP declares these, and is cut between them."""
    parsed = sample(
        """
        <?php
        declare(strict_types=1);

        namespace Shop;

        use Shop\\Base\\Container;
        use Acme\\Egg as E;

        /**
         * Holds eggs.
         */
        #[Entity]
        final class Basket extends Container implements Holder, \\Countable
        {
            use Loggable;

            /** Adds. */
            #[Pure]
            public function add(Egg $egg): ?Result
            {
                $this->list->push(new Egg($egg));
                self::check();
                strlen("x");
            }
        }

        interface Holder extends Named {}
        trait Loggable { function log() {} }
        enum Color: string implements Named { case Red = "r"; }

        // Runs.
        function run() {}
        """,
        "php",
    )

    assert outline(parsed) == [
        "9-25 class Basket, extends Container, implements Holder Countable Loggable, documented",
        "17-24 method Basket.add, documented",
        "27-27 interface Holder, extends Named",
        "28-28 trait Loggable",
        "28-28 method Loggable.log",
        "29-29 enum Color, implements Named",
        "31-32 function run, documented",
    ]
    assert borders(parsed) == [
        "1-8 head",
        "9-32 declarations",
    ]


def test_kotlin() -> None:
    """Kotlin declares these, and is cut between them."""
    parsed = sample(
        """
        @file:JvmName("Shop")
        package shop

        import kotlin.math.max
        import acme.Egg as E

        /** How many. */
        const val LIMIT = 10

        /** Holds eggs. */
        @Serializable
        open class Basket<T>(val size: Int) : Container<T>(size), Holder, Iterable<Egg> {
            private val eggs = mutableListOf<Egg>()

            /** Adds. */
            override fun add(egg: Egg): Boolean {
                eggs.add(Egg(egg))
                return true
            }

            companion object {
                fun make() = Basket(1)
            }
        }

        interface Holder { fun add(egg: Egg): Boolean }
        enum class Color : Named { RED }
        object Single : Base()
        data class Point(val x: Int)
        // Sums.
        fun String.sum(a: Int) = a
        typealias Id = String
        """,
        "kotlin",
    )

    assert outline(parsed) == [
        "7-8 constant LIMIT, documented",
        "10-24 class Basket, extends Container, implements Holder Iterable, documented",
        "15-19 method Basket.add, documented",
        "22-22 method Basket.make",
        "26-26 interface Holder",
        "26-26 method Holder.add",
        "27-27 class Color, implements Named",
        "28-28 object Single, extends Base",
        "29-29 class Point",
        "30-31 function sum, documented",
        "32-32 type Id",
    ]
    assert borders(parsed) == [
        "1-6 head",
        "7-31 declarations",
        "32-32 declarations",
    ]


def test_swift() -> None:
    """Swift declares these, and is cut between them."""
    parsed = sample(
        """
        // Eggs.
        import Foundation

        /// How many.
        let limit = 10

        /// Holds eggs.
        @objc
        public class Basket<T>: Container<T>, Holder {
            var size = 3

            /// Makes one.
            init(size: Int) {
                self.size = size
            }

            /// Adds.
            @discardableResult
            func add(_ egg: Egg) -> Bool {
                eggs.append(Egg(egg))
                return true
            }
        }

        struct Point: Shape { var x: Int }
        enum Color: String { case red }
        protocol Holder: AnyObject {
            func add(_ egg: Egg) -> Bool
        }
        extension Basket: Sequence { func next() {} }
        func run() { print("x") }
        typealias Id = String
        """,
        "swift",
    )

    assert outline(parsed) == [
        "4-5 constant limit, documented",
        "7-23 class Basket, extends Container, implements Holder, documented",
        "12-15 constructor Basket.init, documented",
        "17-22 method Basket.add, documented",
        "17-22 method Basket.Bool, documented",
        "25-25 struct Point, implements Shape",
        "26-26 enum Color, implements String",
        "27-29 interface Holder, extends AnyObject",
        "28-28 method Holder.add",
        "28-28 method Holder.Bool",
        "30-30 extension Basket, implements Sequence",
        "30-30 method Basket.next",
        "31-31 function run",
        "32-32 type Id",
        "32-32 type String",
    ]
    assert borders(parsed) == [
        "1-3 head",
        "4-26 declarations",
        "27-32 declarations",
    ]


def test_scala() -> None:
    """Scala declares these, and is cut between them."""
    parsed = sample(
        """
        package shop

        import scala.collection.mutable
        import acme.{Egg, Box => B}

        /** Holds eggs. */
        @deprecated
        class Basket[T](size: Int) extends Container[T](size) with Holder with Iterable[Egg] {
          val x = 3

          /** Adds. */
          override def add(egg: Egg): Boolean = {
            eggs.append(new Egg(egg))
            true
          }
        }

        object Basket { def make = new Basket(1) }
        trait Holder extends Named { def add(egg: Egg): Boolean }
        case class Point(x: Int) extends Shape
        type Id = String
        """,
        "scala",
    )

    assert outline(parsed) == [
        "6-16 class Basket, extends Container, implements Holder Iterable, documented",
        "11-15 method Basket.add, documented",
        "18-18 object Basket",
        "18-18 method Basket.make",
        "19-19 trait Holder, extends Named",
        "19-19 method Holder.add",
        "20-20 class Point, extends Shape",
        "21-21 type Id",
    ]
    assert borders(parsed) == [
        "1-5 head",
        "6-21 declarations",
    ]


def test_bash() -> None:
    """Bash declares these, and is cut between them."""
    parsed = sample(
        """
        #!/bin/bash
        # Runs things.
        set -euo pipefail

        LIMIT=10
        export NAME="x"

        # Adds.
        add() {
          echo "$1"
          source ./lib/util.sh
        }

        function remove {
          rm -f docs/x.md
        }

        add 1
        """,
        "bash",
    )

    assert outline(parsed) == [
        "5-5 constant LIMIT",
        "6-6 constant NAME",
        "8-12 function add, documented",
        "14-16 function remove",
    ]
    assert borders(parsed) == [
        "1-4 head",
        "5-18 declarations",
    ]
