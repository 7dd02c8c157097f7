<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

class AddFooter extends Migration
{
    public function up()
    {
        Schema::table('templates', function (Blueprint $table) {
            $table->string('footer')->nullable();
        });
    }
}
